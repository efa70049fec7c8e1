/**
 * Ends a cancelled order without reading its record, when two sources agree: the exchange accepted
 * the stop, and the user stream reports the order complete. The record is read later, together with
 * those of other orders (see `end-checks.ts`), so that a replacement costs two calls.
 *
 * Invariant: an order ends this way only if every fill that any source has reported is booked.
 */
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';
import { isWhole } from './whole-order.ts';

/** How long after the stop's answer the stream's message may arrive; then the record is read. */
export const streamLagMs = 250;

/** Whether the stream has reported the end of `order`, and nothing contradicts that. */
export function mayEndByStream(order: TrackedOrder): boolean {
  return order.isEndStreamed && !order.isFilledBeyondBooked && !order.isIdContradicted;
}

/** Ends an open order whose stop was accepted, if {@link mayEndByStream}. */
export function endByStream(orders: OrderStates, order: TrackedOrder): void {
  order.reported = order.booked;
  order.completedMs = orders.context.nowMs;
  order.isUnchecked = orders.reads.losesMessages;
  orders.setState(
    order,
    isWhole(order, order.booked.base) ? 'filled' : 'cancelled',
    'its stop was accepted, and the user stream reports it complete; its record is read later',
  );
  if (order.isUnchecked) orders.noteUnchecked(order);
}
