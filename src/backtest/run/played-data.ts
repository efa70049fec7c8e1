/** Which data a run played, and under which terms: what its figures are of. It is not hashed. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { FeeRates, Latency } from '../../domain/trading-conditions.ts';
import type { Grade } from '../../recording/file/flow-item.ts';
import type { Recording } from '../../recording/file/recording.ts';
import type { SourceFile } from '../../recording/file/recording-header.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { spanOf } from './recording-chain.ts';

export type PlayedRecording = {
  readonly path: string;
  readonly grade: Grade;
  /** Of its first and last row, UTC; null without rows, and where none is known before it comes. */
  readonly from: string | null;
  readonly to: string | null;
  /** Over everything that replays; null where the files are no compiled recording. */
  readonly hash: string | null;
  /** What it was made of; without a hash, the files themselves. */
  readonly sources: readonly SourceFile[];
};

export type PlayedData = {
  /** Of the time that was played, UTC. */
  readonly from: string;
  readonly to: string;
  readonly markets: readonly {
    readonly pair: string;
    readonly recordings: readonly PlayedRecording[];
    readonly fees: FeeRates;
    /** The rates of later dates. */
    readonly feesLater: readonly (FeeRates & { readonly from: string })[];
  }[];
  readonly latencies: ScenarioSettings['latencies'];
};

/** Says of a recording what it is. */
export function playedRecordingOf(recording: Recording): PlayedRecording {
  const { path, header, index } = recording;
  const { fromMicros, toMicros } = spanOf(recording);
  const [from, to] = [fromMicros, toMicros].map((micros) =>
    Number.isFinite(micros) ? timeText(micros) : null,
  ) as [string | null, string | null];
  return { path, grade: header.grade, from, to, hash: index.hash, sources: header.sources };
}

/** Says what was played; `recordings` has those of each market, in the order of the scenario's. */
export function playedDataOf(
  { markets, latencies }: ScenarioSettings,
  recordings: readonly (readonly PlayedRecording[])[],
  span: { readonly startMicros: number; readonly endMicros: number },
): PlayedData {
  return {
    from: timeText(span.startMicros),
    to: timeText(span.endMicros),
    markets: markets.map(({ pair, fees, feesLater }, index) => ({
      pair,
      recordings: recordings[index] ?? [],
      fees,
      feesLater: feesLater.map(({ fromMs, ...rates }) => ({
        from: timeText(fromMs * 1000),
        ...rates,
      })),
    })),
    latencies,
  };
}

/** The same as rows of a table for people. */
export function playedRows(played: PlayedData): readonly (readonly [name: string, text: string])[] {
  const { from, to, markets, latencies } = played;
  return [
    ['Time', `${from} to ${to}`],
    ...markets.flatMap(({ pair, recordings, fees, feesLater }) => [
      ...recordings.flatMap(recordingRows(pair)),
      [`${pair}: fees, maker and taker`, `${fees.maker}, ${fees.taker}`] as const,
      ...feesLater.map(
        (later) => [`${pair}: fees from ${later.from}`, `${later.maker}, ${later.taker}`] as const,
      ),
    ]),
    ...(['feed', 'request', 'answer'] as const).map(
      (way) => [`Latency of ${way}`, latencyText(latencies[way])] as const,
    ),
  ];
}

function recordingRows(pair: string) {
  return ({ path, grade, from, to, hash, sources }: PlayedRecording) => [
    [`${pair}: recording, grade ${grade}`, path] as const,
    ...(from === null ? [] : [[`${pair}: what it holds`, `${from} to ${to}`] as const]),
    ...(hash === null ? [] : [[`${pair}: its hash`, hash] as const]),
    ...sources.map(({ name, sha256 }) => [`${pair}: its source`, `${name} ${sha256}`] as const),
  ];
}

function latencyText(latency: Latency): string {
  switch (latency.kind) {
    case 'fixed':
      return milliseconds(latency.us);
    case 'between':
      return `${milliseconds(latency.fromUs)} to ${milliseconds(latency.toUs)}`;
    case 'measured':
      return `drawn from ${latency.samplesUs.length} measurements`;
    case 'in-order':
      return `${latency.samplesUs.length} measurements in their order`;
  }
}

function milliseconds(us: number): string {
  return `${us / 1000} ms`;
}
