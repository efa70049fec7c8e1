/** Why strategies said that they do not quote, and whether that is over. */
import type { StoreReports } from '../store/store-reports.ts';

/**
 * Returns the last reason of each strategy on each pair. A reason is stored when it comes, not when
 * it goes; an order that was placed later shows that it went.
 */
export function idleOf(reports: StoreReports) {
  const placed = reports.lastPlaced();
  return reports.idleReasons().map((one) => ({
    ...one,
    isOver: placed.some(
      ({ strategyId, pair, atMs }) =>
        strategyId === one.strategyId && pair === one.pair && atMs > one.atMs,
    ),
  }));
}
