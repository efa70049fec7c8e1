/** The data that a run played, with fees and latencies. Not part of the result's hash. */
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { FeeRates, Latency } from '../../domain/trading-conditions.ts';
import type { Grade } from '../../recording/file/flow-item.ts';
import { misfitTexts } from '../../recording/file/misfits.ts';
import type { Recording } from '../../recording/file/recording.ts';
import type { SourceFile } from '../../recording/file/recording-header.ts';
import { timeText } from '../../recording/file/time-text.ts';
import { spanOf } from './recording-chain.ts';

export type PlayedRecording = {
  readonly path: string;
  readonly grade: Grade;
  /** The times of its first and last row, UTC; null without rows, and for an NDJSON data set. */
  readonly from: string | null;
  readonly to: string | null;
  /** Hash of the recording's contents; null for an NDJSON data set. */
  readonly hash: string | null;
  /** The files it was made from; for an NDJSON data set, its own files. */
  readonly sources: readonly SourceFile[];
  /** What does not fit in the whole recording, also outside the played time. */
  readonly misfits: readonly string[];
};

export type PlayedData = {
  /** The beginning and end of the played time, UTC. */
  readonly from: string;
  readonly to: string;
  readonly markets: readonly {
    readonly pair: string;
    readonly recordings: readonly PlayedRecording[];
    readonly fees: FeeRates;
    /** The rates from later dates on. */
    readonly feesLater: readonly (FeeRates & { readonly from: string })[];
  }[];
  readonly latencies: ScenarioSettings['latencies'];
};

export function playedRecordingOf(recording: Recording): PlayedRecording {
  const { path, header, index } = recording;
  const { fromMicros, toMicros } = spanOf(recording);
  const [from, to] = [fromMicros, toMicros].map((micros) =>
    Number.isFinite(micros) ? timeText(micros) : null,
  ) as [string | null, string | null];
  const rest = { hash: index.hash, sources: header.sources, misfits: misfitTexts(index) };
  return { path, grade: header.grade, from, to, ...rest };
}

/** Describes what was played; `recordings` are those of each market, in the scenario's order. */
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

export function playedRows(played: PlayedData): readonly (readonly [name: string, text: string])[] {
  const { from, to, markets, latencies } = played;
  return [
    ['Time', `${from} to ${to}`],
    ...markets.flatMap(({ pair, recordings, fees, feesLater }) => [
      ...recordings.flatMap(recordingRows(pair)),
      [`${pair}: maker, taker fee`, `${fees.maker}, ${fees.taker}`] as const,
      ...feesLater.map(
        (later) =>
          [
            `${pair}: maker, taker fee from ${later.from}`,
            `${later.maker}, ${later.taker}`,
          ] as const,
      ),
    ]),
    ...(['feed', 'request', 'answer'] as const).map(
      (name) => [`Latency of ${name}`, latencyText(latencies[name])] as const,
    ),
  ];
}

function recordingRows(pair: string) {
  return ({ path, grade, from, to, hash, sources }: PlayedRecording) => [
    [`${pair}: recording, grade ${grade}`, path] as const,
    ...(from === null ? [] : [[`${pair}: recorded`, `${from} to ${to}`] as const]),
    ...(hash === null ? [] : [[`${pair}: hash of the recording`, hash] as const]),
    ...sources.map(({ name, sha256 }) => [`${pair}: source`, `${name} ${sha256}`] as const),
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
      return `${latency.samplesUs.length} measurements, in order`;
  }
}

function milliseconds(us: number): string {
  return `${us / 1000} ms`;
}
