/** When a simulated run has come to rest: everything balances and no order waits for its end. */
import type { Engine } from '../../src/engine/engine.ts';
import type { StoreReports } from '../../src/store/store-reports.ts';

export const calmSecondsMax = 200;
export const stopSecondsMax = 75;
/** Longer than the driver holds back what nobody waits for. */
export const holdMicros = 50_000;

/** A full call budget keeps an order waiting for up to ten seconds, and that is in order. */
const busyMsMax = 30_000;

/** Returns what is not settled yet when our clock says `nowMs`; undefined if everything is. */
export function unsettledOf(
  engine: Engine,
  reports: StoreReports,
  nowMs: number,
): string | undefined {
  if (!engine.reconciler.isBalanced) return 'it does not balance';
  for (const order of engine.orders.tracker.live) {
    const sinceMs = nowMs - (order.cancelRequestedMs ?? order.createdMs);
    const isBusy = order.state !== 'open' || order.cancelRequestedMs !== undefined;
    // One that is sent again while an earlier attempt is in doubt may be unknown in a moment.
    const isInDoubt = order.state === 'unknown' || (isBusy && order.doubt !== 'none');
    if (isInDoubt || (isBusy && sinceMs > busyMsMax))
      return `order ${order.clientOrderId} is ${order.state} for ${sinceMs} ms`;
  }
  const bad = reports.tradingStates().find((one) => one.state !== 'ACTIVE');
  return bad === undefined ? undefined : `${bad.scope} is ${bad.state}: ${bad.reason}`;
}
