/**
 * Repeats the last attempt of an unknown order unchanged, with its old timestamp, to learn what
 * would happen to a copy that is still on its way.
 *
 * An exchange that enforces the time to live refuses it as expired, and will refuse every other
 * copy, because its clock does not go back. An exchange that ignores the time to live accepts it
 * under the same id; then the order exists and can be stopped, and every other copy is refused
 * because its id exists. Either rule suffices.
 *
 * Invariants: only after the fence; never for an order of an earlier run, nor while a halt, a stop
 * or the gate forbids another attempt; the order stays `unknown` until the outcome is known.
 */
import { call, type Procedure } from '../requests/procedure.ts';
import type { OrderStates } from './order-states.ts';
import { noteAccepted, replyDeadlineMs, storeAttempt, storeOutcome } from './place-order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** The maximum for one order, including its other attempts. */
const attemptsMax = 8;

/** Whether the last attempt may be repeated now. */
export function mayRepeatExpired({ context }: OrderStates, order: TrackedOrder): boolean {
  return (
    order.state === 'unknown' &&
    !order.isOnlyLookedUp &&
    order.lastAttempt !== undefined &&
    order.attempts < attemptsMax &&
    context.resendRefusals(order).length === 0
  );
}

/**
 * Repeats the last attempt. Returns whether the exchange refused it as expired; any other answer
 * proves nothing.
 */
export function* repeatExpired(orders: OrderStates, order: TrackedOrder): Procedure<boolean> {
  const attemptsBefore = order.attempts;
  order.isAttempting = true;
  const reply = yield* call({
    priority: 'resolve',
    deadlineMs: replyDeadlineMs,
    request: () => {
      const { lastAttempt } = order;
      if (lastAttempt === undefined || !mayRepeatExpired(orders, order)) return undefined;
      order.attempts++;
      orders.storeWithProof(
        order,
        `attempt ${order.attempts}: the expired request of the last attempt, repeated`,
      );
      return storeAttempt(orders, order, lastAttempt);
    },
  });
  order.isAttempting = false;
  if (order.attempts === attemptsBefore) return false;
  const outcome = storeOutcome(orders, order, reply);
  // A stream may have reported the order before the answer arrived.
  if (order.state !== 'unknown') return false;
  switch (outcome.kind) {
    case 'accepted':
      noteAccepted(orders, order, outcome.orderId);
      return false;
    case 'exists':
      order.raiseDoubt('reported-to-exist');
      return false;
    case 'rejected':
    case 'post-only-cancelled':
    case 'market-closed':
      // The first attempt may be the cause, for example because it reserved the money.
      order.raiseDoubt('lookup-only');
      return false;
    case 'ambiguous':
      // Where late orders are not refused for it, the error is about something else.
      return outcome.isExpired && orders.venue.placing.ttlMs !== 'none';
    case 'not-sent':
    case 'throttled':
    case 'fatal':
      return false;
  }
}
