/** What a recording covers: its market, its level of detail and its time span. */
import type { Grade } from './flow-item.ts';
import type { Recording } from './recording.ts';
import { timeText } from './time-text.ts';

export type Coverage = {
  readonly pair: string;
  readonly grade: Grade;
  readonly priceScale: number;
  readonly volumeScale: number;
  /** The times of the first and the last row, in UTC; null without rows. */
  readonly first: string | null;
  readonly last: string | null;
  /** Number of orders that rest at the start. */
  readonly resting: number;
};

/** Throws DecodeError if the book at the start is damaged. */
export function coverageOf(recording: Recording): Coverage {
  const { header, index } = recording;
  const { pair, priceScale, volumeScale } = header.market;
  const [first, last] = [index.blocks.at(0), index.blocks.at(-1)];
  return {
    pair,
    grade: header.grade,
    priceScale,
    volumeScale,
    first: first === undefined ? null : timeText(first.firstMicros),
    last: last === undefined ? null : timeText(last.lastMicros),
    resting: recording.start().resting.slots.length,
  };
}

/** Returns a warning about times before 2000: their unit is probably wrong. */
export function timeWarningOf({ first }: Coverage): string | undefined {
  if (first === null || first >= '2000') return undefined;
  return `the first time is ${first}: is the time column in the unit of its name (time_us, time_ms, time_ns)?`;
}
