/** What a chart draws: lines over shared times, marks at single moments, and spans of time. */
import type { Ink } from '../format/ink.ts';

export type ChartSeries = {
  readonly label: string;
  readonly ink: Ink;
  /** One for each time of the chart; null is a gap in the line. */
  readonly values: readonly (number | null)[];
  /** `steps` is right for what holds until it changes, such as a price or a position. */
  readonly shape: 'line' | 'steps' | 'area';
  readonly isDashed?: boolean;
  readonly width?: number;
  /** The value in the read-out. */
  readonly text?: (value: number) => string;
};

export type MarkShape = 'up' | 'down' | 'cross' | 'dot' | 'flag';

/** A moment in a chart, such as a fill or a refusal. Marks are in order of time. */
export type ChartMark = {
  readonly atMs: number;
  /** On the axis of the values; null: at the lower edge. */
  readonly value: number | null;
  readonly shape: MarkShape;
  readonly ink: Ink;
  /** Shown when the pointer or the cursor is at the mark. */
  readonly text: string;
  /** What it is about, for those who open it. */
  readonly id?: string | number;
};

/** Something that lasts, at one value, such as an order in the book. */
export type ChartSpan = {
  readonly fromMs: number;
  /** Null: it still lasts. */
  readonly toMs: number | null;
  readonly value: number;
  readonly ink: Ink;
  /** Shown when the pointer is on it. */
  readonly text: string;
};

/** Returns the index of the last of the sorted `times` that is not after `ms`; -1 if none is. */
export function indexAt(times: ArrayLike<number>, ms: number): number {
  return countBefore(times.length, (index) => (times[index] ?? 0) <= ms) - 1;
}

/** Returns how many of the sorted items, from the first on, satisfy `isBefore`. */
export function countBefore(length: number, isBefore: (index: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
