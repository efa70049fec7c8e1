/** Selects the entries of a list for a request of the wallet API, by time and by page. */
import { limits } from '../../api/limits.ts';
import { rangeStartMinMs } from '../../api/wallet/scalars.ts';
import { type Refusal, refuse } from '../core/refusal.ts';

export type Range = {
  /** Included. */
  readonly from?: number | undefined;
  /** Excluded. */
  readonly to?: number | undefined;
};

export type Page = {
  readonly pageIndex?: number | undefined;
  readonly pageSize?: number | undefined;
};

/** Returns why a time range is refused, or undefined if it is valid. */
export function refusalOfRange({ from, to }: Range): Refusal | undefined {
  const earliest = `is before ${rangeStartMinMs}`;
  if (from !== undefined && from < rangeStartMinMs)
    return refuse('ErrLessThanMinFromBound', `from ${earliest}`);
  if (to !== undefined && to < rangeStartMinMs)
    return refuse('ErrLessThanMinToBound', `to ${earliest}`);
  if (from !== undefined && to !== undefined && from >= to)
    return refuse('ErrInvalidDateRange', 'from must be before to');
  return undefined;
}

/** Returns the entries whose time is in the range. `timeMsOf` returns the time of an entry. */
export function inRange<T>(
  entries: readonly T[],
  { from, to }: Range,
  timeMsOf: (entry: T) => number,
): readonly T[] {
  if (from === undefined && to === undefined) return entries;
  return entries.filter((entry) => {
    const timeMs = timeMsOf(entry);
    return timeMs >= (from ?? 0) && (to === undefined || timeMs < to);
  });
}

/** Returns one page of the entries; empty beyond the last page. */
export function pageOf<T>(
  entries: readonly T[],
  { pageIndex = limits.pageIndexDefault, pageSize }: Page,
): readonly T[] {
  const size = pageSize ?? limits.pageSizeDefault;
  return entries.slice(pageIndex * size, (pageIndex + 1) * size);
}
