/**
 * Sends an order and turns the answer into its next state.
 *
 * The timestamp is the lower bound of the exchange's clock at the moment of leaving, so that the
 * time to live is never longer than meant; the attempt is stored by the same step that lets the
 * request go.
 *
 * An order whose outcome is unknown may be sent again, under the same id, when the attempt before
 * it is past its fence (see `resolving.ts`): that one is dead by its time to live, and were it not,
 * the exchange would refuse a second order of the same id. Either guard suffices.
 */
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import type { PostorderParameters } from '../../exchange-api/operations.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import { call, type Procedure, Signal, wait } from '../requests/procedure.ts';
import { adoptRecord } from './apply-order-record.ts';
import type { Executor } from './executor.ts';
import { type PlaceOutcome, placeOutcomeOf } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How long the exchange may take an attempt after its timestamp. */
export const ttlMs = 2_000;
const replyDeadlineMs = 4_000;
const attemptsMax = 3;

/** Sends `order` if it is still wanted; an unknown one that may not be sent again stays so. */
export function* sendOrder(executor: Executor, order: TrackedOrder): Procedure {
  const { desk } = executor;
  if (order.state === 'waiting' && order.cancelRequestedMs !== undefined) {
    giveUp(executor, order);
    return;
  }
  const withdrawal = new Signal();
  order.withdrawal = withdrawal;
  const reply = yield* call({
    // Sending again is how an unknown outcome ends; it does not wait behind new orders.
    lane: order.state === 'unknown' ? 'resolve' : 'place',
    operation: 'postorder',
    deadlineMs: replyDeadlineMs,
    parameters: () => beginAttempt(executor, order),
    withdrawal,
  });
  order.withdrawal = undefined;
  if (order.state === 'waiting') {
    giveUp(executor, order);
    return;
  }
  // It was withdrawn: what was unknown still is.
  if (order.state === 'unknown') return;
  // A stream may have shown the order before its answer came.
  const outcome = outcomeOf(executor, order, reply);
  desk.record({
    kind: 'outcome',
    intentId: order.intentId,
    number: order.attempts,
    atMs: desk.nowMs,
    outcome: outcome.kind,
    detail: outcome.kind === 'accepted' ? outcome.orderId : outcome.detail,
  });
  if (outcome.kind === 'market-closed' || (outcome.kind === 'ambiguous' && outcome.isMarketClosed))
    desk.closeMarket(order.pair, outcome.detail);
  if (order.state === 'sending') yield* conclude(executor, order, outcome);
}

/**
 * The id of another order proves nothing about this one, but that something is wrong: it is one of
 * ours, or a stream has named this one by another id.
 */
function outcomeOf({ desk, tracker }: Executor, order: TrackedOrder, reply: Reply): PlaceOutcome {
  const outcome = placeOutcomeOf(reply);
  if (outcome.kind !== 'accepted') return outcome;
  const named = tracker.byOrderId(outcome.orderId);
  const isOther = named !== undefined && named !== order;
  const isContradicted = order.namedId !== undefined && order.namedId !== outcome.orderId;
  if (!isOther && !isContradicted) return outcome;
  const truth = isOther
    ? `which is ${named.clientOrderId}`
    : `and the stream names ${order.namedId}`;
  const detail = `${order.clientOrderId} was answered ${outcome.orderId}, ${truth}`;
  desk.incident('ORDER_ID_DIFFERS', detail);
  desk.setTradingState('bot', 'HALTED', detail);
  return { kind: 'ambiguous', detail, isMarketClosed: false };
}

/** Why an unknown order may not be sent again now; undefined if it may. */
export function whyNotAgain(executor: Executor, order: TrackedOrder): string | undefined {
  const { desk } = executor;
  if (order.noResend) return 'its answers or a restart forbid it';
  if (order.cancelRequestedMs !== undefined) return 'it is to be cancelled';
  if (executor.isOvertaken(order)) return 'it was wished for before a standstill';
  if (order.attempts >= attemptsMax) return `it was sent ${order.attempts} times`;
  const now = desk.exchangeClock.nowMs(desk.nowMs);
  if (now === undefined || now + ttlMs > order.validUntilMs) return 'it is too old';
  const refusals = desk.refusalsAgain(order);
  return refusals.length === 0 ? undefined : refusals.join(', ');
}

function* conclude(executor: Executor, order: TrackedOrder, outcome: PlaceOutcome): Procedure {
  switch (outcome.kind) {
    case 'accepted':
      order.orderId = outcome.orderId;
      executor.tracker.noteOrderId(order);
      executor.setState(order, 'open', `postorder answered ${outcome.orderId}`);
      executor.readLag.noteAccepted(order);
      return;
    case 'not-sent':
      if (order.ambiguous) executor.setState(order, 'unknown', outcome.detail);
      else {
        executor.setState(order, 'waiting', `not sent: ${outcome.detail}`);
        if (order.cancelRequestedMs === undefined) yield* wait(1_000, order.changed);
      }
      return;
    case 'post-only-cancelled':
    case 'rejected':
    case 'market-closed':
      // A market that moved or closed says nothing about how the strategy behaves.
      if (outcome.kind === 'rejected')
        executor.desk.exposure.conduct.of(order.strategyId).rejections.add(executor.desk.nowMs);
      if (order.ambiguous) {
        // A refusal of this attempt says nothing about an earlier one that may have been taken, and
        // may be caused by it: by the money that it reserved, for one.
        order.noResend = true;
        executor.setState(order, 'unknown', outcome.detail);
        return;
      }
      if (outcome.kind === 'post-only-cancelled') yield* readCancelled(executor, order);
      if (order.state === 'sending') executor.setState(order, 'rejected', outcome.detail);
      return;
    case 'exists':
      order.noResend = true;
      order.isSaidToExist = true;
      break;
    // The engine halts on a refused key; this order may have been taken before.
    case 'fatal':
    case 'throttled':
    case 'ambiguous':
      break;
  }
  order.ambiguous = true;
  executor.setState(order, 'unknown', outcome.detail);
}

/** An order that was cancelled before it could trade may have left a record, and its order id. */
function* readCancelled(executor: Executor, order: TrackedOrder): Procedure {
  const reply = yield* call({
    lane: 'resolve',
    operation: 'getOrderV3',
    parameters: () => ({ client_order_id: order.clientOrderId }),
  });
  if (order.state === 'sending' && reply.kind === 'ok')
    adoptRecord(executor, order, reply.body as OrderRecord, 'get order v3');
}

/**
 * Stores the attempt and returns the request, or undefined if the order is not to be sent any more.
 */
function beginAttempt(executor: Executor, order: TrackedOrder): PostorderParameters | undefined {
  const { desk } = executor;
  const timestamp = desk.exchangeClock.nowMs(desk.nowMs);
  if (timestamp === undefined || timestamp + ttlMs > order.validUntilMs) return undefined;
  if (order.state === 'unknown') {
    if (whyNotAgain(executor, order) !== undefined) return undefined;
  } else {
    if (order.state !== 'waiting' || order.cancelRequestedMs !== undefined) return undefined;
    if (executor.isExpired(order)) return undefined;
  }
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
  const { terms } = order;
  return {
    pair: order.pair,
    type: terms.side,
    price: order.priceText,
    volume: order.volumeText,
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

/** Ends an order of which nothing is at the exchange or on its way. */
function giveUp(executor: Executor, order: TrackedOrder): void {
  const why = whyUnsent(executor, order);
  executor.setState(order, 'unsent', `nothing left this machine: ${why}`);
}

function whyUnsent(executor: Executor, order: TrackedOrder): string {
  const { desk } = executor;
  if (order.cancelRequestedMs !== undefined) return 'it was cancelled first';
  if (executor.isExpired(order)) return 'it waited too long';
  if (desk.exchangeClock.nowMs(desk.nowMs) === undefined)
    return "the exchange's clock is not known yet";
  return 'it waited too long';
}
