/** Whether a record shows an order as open that ended long ago for us. */
import type { OrderView } from '../../venue/venue-reply.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** What proves that an order which had ended is open. */
export const openAfterItsEnd = 'its record, read after its end, is open';

/** Returns whether `view` is open, although for us it ended longer ago than a read may lag. */
export function isOpenAfterItsEnd(
  { context, venue }: OrderStates,
  order: TrackedOrder,
  view: Pick<OrderView, 'clientOrderId' | 'isEnded'>,
): boolean {
  const isEnded =
    order.state === 'filled' ||
    order.state === 'cancelled' ||
    (order.state === 'completing' && order.isUnchecked);
  if (!isEnded || view.clientOrderId !== order.clientOrderId) return false;
  return !view.isEnded && context.nowMs - (order.completedMs ?? 0) > venue.reads.endLagMs;
}
