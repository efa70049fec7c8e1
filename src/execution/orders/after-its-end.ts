/** Whether a record shows an order as open that ended long ago for us. */
import type { OrderView } from '../../venue/venue-reply.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** After this time, even a lagging read shows the end of an order. */
export const endShownMs = 60_000;

/** What proves that an order which had ended is open. */
export const openAfterItsEnd = 'its record, read after its end, is open';

/** Returns whether `view` is open, although the order ended more than a minute ago for us. */
export function isOpenAfterItsEnd(
  { context }: OrderStates,
  order: TrackedOrder,
  view: Pick<OrderView, 'clientOrderId' | 'isEnded'>,
): boolean {
  const isEnded =
    order.state === 'filled' ||
    order.state === 'cancelled' ||
    (order.state === 'completing' && order.isUnchecked);
  if (!isEnded || view.clientOrderId !== order.clientOrderId) return false;
  return !view.isEnded && context.nowMs - (order.completedMs ?? 0) > endShownMs;
}
