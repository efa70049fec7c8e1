/** Whether a record shows an order as open that ended long ago for us. */
import type { OrderRecord } from '../../venues/luno/api/operations/order-operations.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** After this time, even a lagging read shows the end of an order. */
export const endShownMs = 60_000;

/** Returns whether `record` is open, although the order ended more than a minute ago for us. */
export function isOpenAfterItsEnd(
  { context }: OrderStates,
  order: TrackedOrder,
  { client_order_id: id, status, completed_timestamp: completedMs }: OrderRecord,
): boolean {
  const isEnded =
    order.state === 'filled' ||
    order.state === 'cancelled' ||
    (order.state === 'completing' && order.isUnchecked);
  if (!isEnded || id !== order.clientOrderId) return false;
  const isOpen = status !== 'COMPLETE' && completedMs === 0;
  return isOpen && context.nowMs - (order.completedMs ?? 0) > endShownMs;
}
