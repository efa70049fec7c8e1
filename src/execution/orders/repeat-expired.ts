/**
 * Repeats the last attempt of an unknown order as it was, old timestamp included, to learn what
 * becomes of a copy that may still be on its way.
 *
 * An exchange that keeps the time to live refuses it as expired, and will refuse every copy, as
 * time does not go back. One that ignores the time to live takes it, under the same id: then there
 * is an order that can be stopped, and uniqueness keeps every copy out. So either rule suffices, as
 * for an order that is sent again.
 *
 * Invariants: only past the fence; not for an order of an earlier run, nor while a halt, a stop or
 * the gate's view of the market forbids another attempt; the order stays `unknown` meanwhile.
 */
import type { Reply } from '../../exchange-api/reply.ts';
import { call, type Procedure, Signal } from '../requests/procedure.ts';
import type { OrderStates } from './order-states.ts';
import { noteAccepted, replyDeadlineMs, storeAttempt, storeOutcome } from './place-order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Of one order, its other attempts included. */
const attemptsMax = 8;

/** Whether the last attempt may be repeated now. */
export function mayRepeatExpired({ context }: OrderStates, order: TrackedOrder): boolean {
  return (
    order.state === 'unknown' &&
    !order.isOnlyLookedUp &&
    order.lastAttempt !== undefined &&
    order.attempts < attemptsMax &&
    context.refusalsAgain(order).length === 0
  );
}

/** Repeats it. Returns whether the exchange refused it as expired; all else proves nothing. */
export function* repeatExpired(orders: OrderStates, order: TrackedOrder): Procedure<boolean> {
  const attemptsBefore = order.attempts;
  const withdrawal = new Signal();
  order.withdrawal = withdrawal;
  const reply = yield* call({
    lane: 'resolve',
    operation: 'postorder',
    deadlineMs: replyDeadlineMs,
    parameters: () => {
      const { lastAttempt } = order;
      if (lastAttempt === undefined || !mayRepeatExpired(orders, order)) return undefined;
      order.attempts++;
      orders.storeWithProof(order, `attempt ${order.attempts}: the last one repeated, expired`);
      return storeAttempt(orders, order, lastAttempt);
    },
    withdrawal,
  });
  order.withdrawal = undefined;
  if (order.attempts === attemptsBefore) return false;
  const outcome = storeOutcome(orders, order, reply);
  // A stream may have shown the order before the answer came.
  if (order.state !== 'unknown') return false;
  switch (outcome.kind) {
    case 'accepted':
      noteAccepted(orders, order, outcome.orderId);
      return false;
    case 'exists':
      order.raiseDoubt('said-to-exist');
      return false;
    case 'rejected':
    case 'post-only-cancelled':
    case 'market-closed':
      // It may be caused by the first one, by the money that it reserved for one.
      order.raiseDoubt('lookup-only');
      return false;
    case 'ambiguous':
      return isRefusedAsExpired(reply);
    case 'not-sent':
    case 'throttled':
    case 'fatal':
      return false;
  }
}

function isRefusedAsExpired(reply: Reply): boolean {
  return reply.kind === 'refused' && reply.status < 500 && reply.code === 'ErrDeadlineExceeded';
}
