/** A range of time that a chart shows, and how zooming and panning change it. Pure. */

export type TimeRange = { readonly fromMs: number; readonly toMs: number };

/** Below this a chart shows nothing more. */
const rangeMsMin = 50;

export function lengthOf({ fromMs, toMs }: TimeRange): number {
  return toMs - fromMs;
}

/** Returns `range` zoomed by `factor` (below 1: closer) so that `atMs` stays where it is. */
export function zoomed(range: TimeRange, factor: number, atMs: number, full: TimeRange): TimeRange {
  const length = Math.max(rangeMsMin, lengthOf(range) * factor);
  const share = (atMs - range.fromMs) / Math.max(1, lengthOf(range));
  const fromMs = atMs - share * length;
  return inside({ fromMs, toMs: fromMs + length }, full);
}

/** Returns `range` moved by a share of its length: above 0 to later times. */
export function panned(range: TimeRange, share: number, full: TimeRange): TimeRange {
  const move = lengthOf(range) * share;
  return inside({ fromMs: range.fromMs + move, toMs: range.toMs + move }, full);
}

/** Returns the range of the same length, as far as it fits, that is inside `full`. */
export function inside(range: TimeRange, full: TimeRange): TimeRange {
  const length = Math.min(lengthOf(range), lengthOf(full));
  const fromMs = Math.min(Math.max(range.fromMs, full.fromMs), full.toMs - length);
  return { fromMs, toMs: fromMs + length };
}

export function isSameRange(one: TimeRange | null, other: TimeRange | null): boolean {
  return one?.fromMs === other?.fromMs && one?.toMs === other?.toMs;
}
