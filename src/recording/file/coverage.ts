/** What a recording covers, for people and programs: of what it is, and from when to when. */
import type { Grade } from './flow-item.ts';
import type { Recording } from './recording.ts';
import { timeText } from './time-text.ts';

export type Coverage = {
  readonly pair: string;
  readonly grade: Grade;
  readonly priceScale: number;
  readonly volumeScale: number;
  /** The times of the first and the last row in UTC; null without rows. */
  readonly first: string | null;
  readonly last: string | null;
  /** Orders that rest at the beginning. */
  readonly resting: number;
};

/** Throws DecodeError if the book at the beginning is damaged. */
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

/** Returns what is doubtful about the times: no exchange of today was there before 2000. */
export function doubtOf({ first }: Coverage): string | undefined {
  if (first === null || first >= '2000') return undefined;
  return `the first time is ${first}: is the time column in the unit that its name says (time_us, time_ms, time_ns)?`;
}
