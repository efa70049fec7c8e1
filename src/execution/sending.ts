/**
 * Sends an order once and turns the answer into its next state.
 *
 * The timestamp is the lower bound of the exchange's clock at the moment of leaving, so that the
 * time to live is never longer than meant; the attempt is stored by the same step that lets the
 * request go.
 */
import { formatLots, formatTicks } from '../domain/market.ts';
import type { PostorderParameters } from '../interface/operations.ts';
import type { Executor } from './executor.ts';
import { placeOutcomeOf } from './place-outcome.ts';
import { call, type Procedure, wait } from './procedure.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How long the exchange may take an attempt after its timestamp. */
export const ttlMs = 2_000;
const replyDeadlineMs = 4_000;

/** Sends `order` if it is still wanted; afterwards its state is another one. */
export function* sendOrder(executor: Executor, order: TrackedOrder): Procedure {
  const { desk } = executor;
  const reply = yield* call({
    lane: 'place',
    operation: 'postorder',
    deadlineMs: replyDeadlineMs,
    parameters: () => beginAttempt(executor, order),
  });
  if (order.state === 'waiting') {
    const why = whyUnsent(executor, order);
    executor.setState(order, 'unsent', `nothing left this machine: ${why}`);
    return;
  }
  // A stream may have shown the order before its answer came.
  const outcome = placeOutcomeOf(reply);
  desk.record({
    kind: 'outcome',
    intentId: order.intentId,
    number: order.attempts,
    atMs: desk.nowMs,
    outcome: outcome.kind,
    detail: outcome.kind === 'accepted' ? outcome.orderId : outcome.detail,
  });
  if (order.state !== 'sending') return;

  switch (outcome.kind) {
    case 'accepted':
      order.orderId = outcome.orderId;
      executor.tracker.noteOrderId(order);
      executor.setState(order, 'open', `postorder answered ${outcome.orderId}`);
      return;
    case 'not-sent':
      if (order.ambiguous) executor.setState(order, 'unknown', outcome.detail);
      else {
        executor.setState(order, 'waiting', `not sent: ${outcome.detail}`);
        yield* wait(1_000, order.changed);
      }
      return;
    case 'rejected':
    case 'market-closed':
    case 'post-only-cancelled':
      // A market that moved or closed says nothing about how the strategy behaves.
      if (outcome.kind === 'rejected')
        desk.exposure.conduct.of(order.strategyId).rejections.add(desk.nowMs);
      // A refusal of this attempt says nothing about an earlier one that may have been taken.
      executor.setState(order, order.ambiguous ? 'unknown' : 'rejected', outcome.detail);
      return;
    case 'exists':
    // The engine halts on a refused key; this order may have been taken before.
    case 'fatal':
    case 'throttled':
    case 'ambiguous':
      break;
  }
  order.ambiguous = true;
  executor.setState(order, 'unknown', outcome.detail);
}

/**
 * Stores the attempt and returns the request, or undefined if the order is not to be sent any more.
 */
function beginAttempt(executor: Executor, order: TrackedOrder): PostorderParameters | undefined {
  const { desk } = executor;
  const timestamp = desk.exchangeClock.nowMs(desk.nowMs);
  if (order.state !== 'waiting' || order.cancelRequestedMs !== undefined) return undefined;
  if (desk.nowMs > order.validUntilMs || timestamp === undefined) return undefined;

  order.attempts++;
  order.lastAttempt = { timestampMs: Math.floor(timestamp), ttlMs };
  executor.setState(order, 'sending', `attempt ${order.attempts}`);
  desk.record({
    kind: 'attempt',
    intentId: order.intentId,
    number: order.attempts,
    atMs: desk.nowMs,
    timestampMs: order.lastAttempt.timestampMs,
    ttlMs,
  });
  const { terms, market } = order;
  return {
    pair: order.pair,
    type: terms.side,
    price: formatTicks(terms.price, market),
    volume: formatLots(terms.volume, market),
    time_in_force: terms.timeInForce,
    // IOC and FOK refuse the parameter even as false on some servers; it is named only when set.
    ...(terms.postOnly ? { post_only: true } : {}),
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    timestamp: order.lastAttempt.timestampMs,
    ttl: ttlMs,
    client_order_id: order.clientOrderId,
  };
}

function whyUnsent({ desk }: Executor, order: TrackedOrder): string {
  if (order.cancelRequestedMs !== undefined) return 'it was cancelled first';
  if (desk.nowMs > order.validUntilMs) return 'it waited too long';
  return "the exchange's clock is not known yet";
}
