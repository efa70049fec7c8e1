/**
 * Tells a quiet market from one that nobody recorded: a recording of trades does not say when its
 * recorder was away.
 *
 * No trade for more than an hour, and for more than fifty times the usual distance of trades, means
 * that nothing was recorded. The time between two recordings is never recorded, however short.
 */
import type { Recording } from '../../recording/file/recording.ts';

const quietMicrosMin = 3_600_000_000;
const usualDistances = 50;

/** Whether nothing was recorded between two trades that follow each other. */
export type QuietLimit = (fromMicros: number, toMicros: number) => boolean;

/** `recordings`: of trades, in order of time. */
export function quietLimitOf(recordings: readonly Pick<Recording, 'index'>[]): QuietLimit {
  /** For the beginning of each recording but the first, the end of the one before. */
  const endsBefore = new Map<number, number>();
  let [trades, recordedMicros] = [0, 0];
  let endMicros: number | undefined;
  for (const { index } of recordings) {
    const [first, last] = [index.blocks.at(0), index.blocks.at(-1)];
    if (first === undefined || last === undefined) continue;
    if (endMicros !== undefined) endsBefore.set(first.firstMicros, endMicros);
    endMicros = last.lastMicros;
    trades += index.counts.rows;
    recordedMicros += endMicros - first.firstMicros;
  }
  return (fromMicros, toMicros) => {
    if (endsBefore.get(toMicros) === fromMicros) return true;
    const micros = toMicros - fromMicros;
    if (micros <= quietMicrosMin) return false;
    // Without this distance: a long hole would raise the limit above its own length.
    const usual = (recordedMicros - micros) / Math.max(1, trades - 1);
    return micros > usualDistances * usual;
  };
}
