/** What a person reads of the latency proof. */
import type { Reaction, Reactor } from './bot-settings-text.ts';
import type { LatencyFigures, Parts } from './latency-figures.ts';
import { referenceVersion } from './reference-node.ts';
import type { Sustained } from './sustained-run.ts';

type Rows = Readonly<Record<Reaction, LatencyFigures & { readonly parts: Parts }>>;
type Variant = Rows & {
  readonly database?: string;
  readonly burst?: number;
  readonly strategies?: number;
  readonly lineDelayMs?: number;
};

const nameWidth = 34;
const columnWidth = 9;

/** Milliseconds, but for calls; the parts are medians. */
export function latencyTable(
  main: Rows & Readonly<Record<Reactor | 'referenceFloor', LatencyFigures>>,
  variants: readonly Variant[],
  sustained: Readonly<Record<Reaction, Sustained>>,
): readonly string[] {
  const reactions = ['place', 'quote'] as const;
  return [
    line('ms from frame to order', ['p50', 'p90', 'p99', 'calls', 'CPU', 'MB']),
    rowOf('floor', main.floor),
    rowOf(`floor, Node ${referenceVersion}`, main.referenceFloor),
    ...reactions.map((reaction) => rowOf(reaction, main[reaction])),
    ...variants.flatMap((variant) =>
      reactions.map((reaction) => rowOf(`${reaction}, ${nameOf(variant)}`, variant[reaction])),
    ),
    '',
    line('parts, medians', Object.keys(main.place.parts)),
    ...reactions.map((reaction) => line(reaction, Object.values(main[reaction].parts))),
    '',
    line('under 300 calls a minute', ['a minute', 'late', 'missing', 'p50', 'longest', 'calls']),
    ...reactions.map((reaction) => sustainedRow(reaction, sustained[reaction])),
  ];
}

function rowOf(name: string, figures: LatencyFigures): string {
  const { p50, p90, p99, callsPerReaction, cpuMillis, residentMb } = figures;
  return line(name, [p50, p90, p99, callsPerReaction, cpuMillis, residentMb]);
}

function sustainedRow(name: string, one: Sustained): string {
  const { perMinute, late, unanswered, waitP50, waitMax, callsPerReaction } = one;
  return line(name, [perMinute, late, unanswered, waitP50, waitMax, callsPerReaction]);
}

function nameOf({ database, burst, strategies, lineDelayMs }: Variant): string {
  if (database !== undefined) return `database on ${database}`;
  if (burst !== undefined) return `bursts of ${burst} frames`;
  if (strategies !== undefined) return `${strategies} strategies`;
  return `line delay of ${lineDelayMs} ms`;
}

function line(name: string, values: readonly (string | number)[]): string {
  const columns = values.map((value) => String(value).padStart(columnWidth)).join('');
  return `${name.padEnd(nameWidth)}${columns}`;
}
