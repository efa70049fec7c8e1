/**
 * Ends a cancelled order without reading its record, when two sources agree: the exchange accepted
 * the stop, and the user stream reports the order complete. The record is read later, together with
 * those of other orders (see `end-checks.ts`), so that a replacement costs two calls.
 *
 * Invariant: an order ends this way only if every fill that any source has reported is booked.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

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
  order.isUnchecked = !orders.isReplay;
  orders.setState(
    order,
    isBookedWhole(order) ? 'filled' : 'cancelled',
    'its stop was accepted, and the user stream reports it complete; its record is read later',
  );
  if (order.isUnchecked) orders.noteUnchecked(order);
}

/**
 * Moves an open order to `completing` if the stream has reported its end, in a run in which the
 * stream takes the place of its record.
 */
export function completeByStream(orders: OrderStates, order: TrackedOrder): void {
  if (order.state !== 'open' || order.endStreamedMs === 0) return;
  order.completedMs = order.endStreamedMs;
  orders.setState(order, 'completing', 'the user stream reports it complete');
}

/** Ends an order that {@link completeByStream} has moved, once every fill is booked. */
export function settleByStream(orders: OrderStates, order: TrackedOrder): void {
  order.reported = order.booked;
  orders.setState(order, isBookedWhole(order) ? 'filled' : 'cancelled', settledProof);
}

/** Whether our fills add up to the ordered volume, which is in whole lots. */
function isBookedWhole({ bookedLots, terms }: TrackedOrder): boolean {
  return bookedLots >= terms.volume;
}

const settledProof = ({ booked, volumeText }: TrackedOrder): string =>
  `every fill that the user stream reported is booked: base ${formatAmount(booked.base)} of ${volumeText}`;
