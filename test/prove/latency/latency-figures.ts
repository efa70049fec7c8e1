/** What the reactions of a lane come to: percentiles, parts, calls and CPU time. */
import type { Mark } from './measured-process.ts';
import type { ReactionTimes } from './reaction-watch.ts';
import { type SpanPart, type Spans, spanFields, spanParts } from './span-log.ts';

/** Several changes of the market, one after another, and what became of them. */
export type Block = {
  readonly changes: number;
  readonly orders: readonly ReactionTimes[];
  readonly missing: number;
  readonly calls: number;
  readonly cpuMicros: number;
  readonly mark: Mark;
};

export type Part = SpanPart | 'waiting';
/** Milliseconds. `waiting` is for the event loop, for promises, and for the exchange's answers. */
export type Parts = Readonly<Record<Part, number>>;

/** Milliseconds, but for `reactions` (orders that answered a change), `missing` and calls. */
export type LatencyFigures = {
  readonly reactions: number;
  readonly missing: number;
  readonly p50: number;
  readonly p90: number;
  readonly p99: number;
  readonly callsPerReaction: number;
  readonly cpuMillis: number;
  readonly residentMb: number;
};

const client = spanParts.indexOf('client');

/**
 * A reaction is one change of the market, whatever the number of strategies that answer it. The CPU
 * time is that of the fastest block, since other work of the machine only adds to it.
 */
export function figuresOf(blocks: readonly Block[]): LatencyFigures {
  const orders = blocks.flatMap((block) => block.orders);
  const sum = (of: (block: Block) => number): number =>
    blocks.reduce((total, block) => total + of(block), 0);
  const millis = orders.map(({ frameMicros, orderMicros }) => (orderMicros - frameMicros) / 1_000);
  const changes = sum((block) => block.changes);
  return {
    reactions: orders.length,
    missing: sum((block) => block.missing),
    p50: percentile(millis, 0.5),
    p90: percentile(millis, 0.9),
    p99: percentile(millis, 0.99),
    callsPerReaction: rounded(sum((block) => block.calls) / changes),
    cpuMillis: rounded(Math.min(...blocks.map(cpuMillisOf))),
    residentMb: Math.max(...blocks.map((block) => block.mark.residentMb)),
  };
}

function cpuMillisOf({ cpuMicros, changes }: Block): number {
  return cpuMicros / 1_000 / changes;
}

/** The median of each part; they do not add up to the median of the whole. */
export function partsOf(blocks: readonly Block[]): Parts {
  const all = blocks.flatMap(({ orders, mark }) =>
    orders.map((order) => partsOfOrder(order, mark.spans)),
  );
  const median = (part: Part) =>
    percentile(
      all.map((one) => one[part]),
      0.5,
    );
  const names: readonly Part[] = [...spanParts, 'waiting'];
  return Object.fromEntries(names.map((part) => [part, median(part)])) as Parts;
}

/**
 * Where the time of one order went. From the end of the last call of the client the request is on
 * its way: that and the way of the frame to the program belong to `socket`.
 */
export function partsOfOrder({ frameMicros, orderMicros }: ReactionTimes, spans: Spans): Parts {
  const parts = Object.fromEntries(spanParts.map((part) => [part, 0])) as Record<Part, number>;
  const within = spansWithin(spans, frameMicros, orderMicros);
  const sentMicros = within.findLast(({ part }) => part === client)?.endMicros ?? orderMicros;
  const firstMicros = within[0]?.beginMicros ?? orderMicros;
  let spent = 0;
  for (const { part, beginMicros, endMicros } of within) {
    const micros = Math.max(0, Math.min(endMicros, sentMicros) - beginMicros);
    parts[spanParts[part] as SpanPart] += micros / 1_000;
    spent += micros;
  }
  const onItsWay = Math.max(0, orderMicros - sentMicros) + Math.max(0, firstMicros - frameMicros);
  parts.socket += onItsWay / 1_000;
  parts.waiting = Math.max(0, orderMicros - frameMicros - spent - onItsWay) / 1_000;
  return parts;
}

type Span = { readonly part: number; readonly beginMicros: number; readonly endMicros: number };

/** The spans that begin in a time, which they do not outlast. */
function spansWithin(spans: Spans, fromMicros: number, toMicros: number): readonly Span[] {
  const within: Span[] = [];
  for (let place = firstSince(spans, fromMicros); place < spans.length; place += spanFields) {
    const [part, beginMicros, endMicros] = spans.subarray(place, place + spanFields) as unknown as [
      number,
      number,
      number,
    ];
    if (beginMicros >= toMicros) break;
    within.push({ part, beginMicros, endMicros: Math.min(endMicros, toMicros) });
  }
  return within;
}

/** The place of the first span that begins at a time or later. */
function firstSince(spans: Spans, fromMicros: number): number {
  let [low, high] = [0, spans.length / spanFields];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((spans[middle * spanFields + 1] ?? 0) < fromMicros) low = middle + 1;
    else high = middle;
  }
  return low * spanFields;
}

/** Returns the value that a share of the values does not exceed; NaN without values. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const place = Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1);
  return rounded(sorted[Math.max(0, place)] ?? Number.NaN);
}

export function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
