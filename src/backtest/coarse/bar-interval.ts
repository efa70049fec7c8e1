/** Checks that a scenario states the length of the recorded bars. */
import { ConfigError } from '../../domain/errors.ts';
import {
  addCounts,
  type DistanceCounts,
  distanceCountsOf,
  type UsualDistance,
  usualDistanceOf,
} from '../../recording/file/bar-distances.ts';
import type { Recording } from '../../recording/file/recording.ts';

/** A recording with at least this many bars has some that begin one interval apart. */
const barsMany = 100;
const [lengthMicrosMin, lengthMicrosMax] = [1_000_000, 86_400_000_000];

type Bars = Pick<Recording, 'path' | 'index' | 'block'>;

/**
 * Throws ConfigError unless the usual distance of the bars is the interval: a shorter one would
 * show bars before their end. Also throws for a recording of many bars without any two that begin
 * one interval apart.
 */
export function checkInterval(recordings: readonly Bars[], intervalMicros: number): void {
  const all: DistanceCounts = new Map();
  for (const recording of recordings) {
    const counts = distanceCountsOf(recording);
    const usual = usualDistanceOf(counts);
    if (usual !== undefined && usual.total >= barsMany && !counts.has(intervalMicros))
      throw wrongInterval([recording], usual, intervalMicros);
    addCounts(all, counts);
  }
  const usual = usualDistanceOf(all);
  if (usual !== undefined && usual.micros !== intervalMicros)
    throw wrongInterval(recordings, usual, intervalMicros);
}

function wrongInterval(
  recordings: readonly Bars[],
  { micros, count, total }: UsualDistance,
  intervalMicros: number,
): ConfigError {
  const canBeSet = micros % 1_000 === 0 && micros >= lengthMicrosMin && micros <= lengthMicrosMax;
  const fix = canBeSet
    ? `set it to "${micros % 1e6 === 0 ? `${micros / 1e6}s` : `${micros / 1e3}ms`}", the length of a bar`
    : 'only bars of 1 s to 1 day can be played';
  return new ConfigError(
    `${recordings.map(({ path }) => path).join(', ')}: bars usually begin ${micros / 1e6} s apart (${count} of ${total}), ` +
      `but fillModel.interval is ${intervalMicros / 1e6} s; ${fix}`,
  );
}
