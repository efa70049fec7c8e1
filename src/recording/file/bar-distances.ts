/**
 * How far apart the bars of a recording of candles begin. The usual distance, the most frequent
 * one, is the length of a bar: single bars may be missing, shifted or still forming.
 */
import { type FlowBlock, longDelta } from '../../market/flow/flow-block.ts';
import type { Recording } from './recording.ts';

/** How often each distance occurs, in microseconds. */
export type DistanceCounts = Map<number, number>;

export type UsualDistance = {
  readonly micros: number;
  /** How many of all distances are equal to it. */
  readonly count: number;
  readonly total: number;
};

/** What a recording of candles lacks. Bars are counted as missing at their usual distance. */
export type MissingBars = {
  readonly usualMicros: number | undefined;
  readonly missing: number;
  readonly holes: number;
  /** The beginning of the first missing bar and of the next recorded one, of the longest hole. */
  readonly longest: { readonly fromMicros: number; readonly toMicros: number } | undefined;
};

/** Calls `take` with the time of each row of a block. */
export function eachTime(block: FlowBlock, take: (atMicros: number, row: number) => void): void {
  const { deltas, longDeltas, deltaMicros } = block;
  let atMicros = block.startMicros;
  let longs = 0;
  for (let row = 0; row < deltas.length; row++) {
    const delta = deltas[row] as number;
    atMicros += delta === longDelta ? (longDeltas[longs++] as number) : delta * deltaMicros;
    take(atMicros, row);
  }
}

/**
 * Returns the counts of a recording's first block, which has enough bars to show what is usual.
 */
export function distanceCountsOf(recording: Pick<Recording, 'index' | 'block'>): DistanceCounts {
  const counts: DistanceCounts = new Map();
  const [first] = recording.index.blocks;
  if (first === undefined) return counts;
  let before: number | undefined;
  eachTime(recording.block(first), (atMicros) => {
    if (before !== undefined) add(counts, atMicros - before, 1);
    before = atMicros;
  });
  return counts;
}

export function addCounts(sums: DistanceCounts, counts: DistanceCounts): void {
  for (const [micros, count] of counts) add(sums, micros, count);
}

/**
 * Returns the most frequent distance, undefined without one. Of equally frequent ones it is the
 * longest: bars that are taken for too long are only known late, never before their end.
 */
export function usualDistanceOf(counts: DistanceCounts): UsualDistance | undefined {
  let [micros, count, total] = [0, 0, 0];
  for (const [distance, times] of counts) {
    total += times;
    if (times < count || (times === count && distance < micros)) continue;
    micros = distance;
    count = times;
  }
  return total === 0 ? undefined : { micros, count, total };
}

/** Counts the missing bars of a recording of candles; reads all of its rows. */
export function missingBarsOf(recording: Pick<Recording, 'index' | 'block'>): MissingBars {
  const usualMicros = usualDistanceOf(distanceCountsOf(recording))?.micros;
  let [missing, holes] = [0, 0];
  let longest: MissingBars['longest'];
  let before: number | undefined;
  if (usualMicros !== undefined)
    for (const entry of recording.index.blocks)
      eachTime(recording.block(entry), (toMicros) => {
        const fromMicros = (before ?? toMicros) + usualMicros;
        before = toMicros;
        if (toMicros < fromMicros + usualMicros) return;
        holes++;
        missing += Math.floor((toMicros - fromMicros) / usualMicros);
        if (longest === undefined || toMicros - fromMicros > longest.toMicros - longest.fromMicros)
          longest = { fromMicros, toMicros };
      });
  return { usualMicros, missing, holes, longest };
}

function add(counts: DistanceCounts, micros: number, count: number): void {
  counts.set(micros, (counts.get(micros) ?? 0) + count);
}
