/** The reasons that strategies gave for not quoting, and whether each is over. */
import type { StoreReports } from '../store/store-reports.ts';

/**
 * Returns the last reason of each strategy on each pair. Only the beginning of a reason is stored,
 * not its end; an order that was placed later shows that it is over.
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
