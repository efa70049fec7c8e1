/**
 * Ends a cancelled order without reading its record, when two sources agree: the exchange accepted
 * the stop, and the user stream reports the order complete. The record is read later, together with
 * those of other orders (see `end-checks.ts`), so that a replacement costs two calls.
 *
 * Invariant: an order ends this way only if every fill that any source has reported is booked.
 */
import { type Procedure, wait } from '../requests/procedure.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How long after the stop's answer the stream's message may arrive; then the record is read. */
const streamLagMs = 250;

/** Waits for the stream's message; returns whether the order has ended. */
export function* endByStream(orders: OrderStates, order: TrackedOrder): Procedure<boolean> {
  const { context } = orders;
  if (!orders.trustsStream) return false;
  const untilMs = context.nowMs + streamLagMs;
  while (order.state === 'open' && !order.isEndStreamed && context.nowMs < untilMs)
    yield* wait(untilMs - context.nowMs, order.changed);
  if (order.state !== 'open') return true;
  if (!order.isEndStreamed || order.isFilledBeyondBooked || order.isIdContradicted) return false;
  order.reported = order.booked;
  order.completedMs = context.nowMs;
  order.isUnchecked = !orders.isReplay;
  orders.setState(
    order,
    order.booked.base >= order.volume ? 'filled' : 'cancelled',
    'its stop was accepted, and the user stream reports it complete; its record is read later',
  );
  if (order.isUnchecked) orders.noteUnchecked(order);
  return true;
}
