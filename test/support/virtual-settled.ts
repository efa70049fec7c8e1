/** Whether a simulated bot has come to rest after the storm. */
import type { Engine } from '../../src/engine/engine.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';

/** Returns what is not settled at `nowMs` of the bot's clock, or undefined if all is. */
export function unsettledOf(
  engine: Engine,
  reports: StoreReports,
  nowMs: number,
): string | undefined {
  if (!engine.reconciler.isBalanced) return 'it does not balance';
  for (const order of engine.executor.tracker.live) {
    const sinceMs = nowMs - (order.cancelRequestedMs ?? order.createdMs);
    const isBusy = order.state !== 'open' || order.cancelRequestedMs !== undefined;
    // A full budget keeps an order waiting for up to ten seconds, and that is in order.
    if (order.state === 'unknown' || (isBusy && sinceMs > 30_000))
      return `order ${order.clientOrderId} is ${order.state} for ${sinceMs} ms`;
  }
  const bad = reports.tradingStates().find((one) => one.state !== 'ACTIVE');
  return bad === undefined ? undefined : `${bad.scope} is ${bad.state}: ${bad.reason}`;
}
