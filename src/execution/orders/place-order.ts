/**
 * Sends an order and turns the answer into its next state.
 *
 * The timestamp is the lower bound of the exchange's clock at the moment of leaving, so that the
 * time to live is never longer than meant; the attempt is stored by the same step that lets the
 * request go.
 *
 * An order whose outcome is unknown may be sent again, under the same id, when the attempt before
 * it is past its fence (see `resolve-unknown.ts`): that one is dead by its time to live, and were
 * it not, the exchange would refuse a second order of the same id. Either guard suffices.
 */
import type { PostorderParameters } from '../../exchange-api/operations.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import { clockSkewMsMax } from '../../risk/checks/health-check.ts';
import { call, type Procedure, Signal, wait } from '../requests/procedure.ts';
import { applyOrderRecord } from './apply-order-record.ts';
import type { OrderStates } from './order-states.ts';
import { type PlaceOutcome, placeOutcomeOf } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How long the exchange may take an attempt after its timestamp. */
export const ttlMs = 2_000;
export const replyDeadlineMs = 4_000;
const attemptsMax = 3;

/** Sends `order` if it is still wanted; an unknown one that may not be sent again stays so. */
export function* placeOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  if (order.state === 'waiting' && order.cancelRequestedMs !== undefined) {
    giveUp(orders, order);
    return;
  }
  const withdrawal = new Signal();
  order.withdrawal = withdrawal;
  const reply = yield* call({
    // Sending again is how an unknown outcome ends; it does not wait behind new orders.
    lane: order.state === 'unknown' ? 'resolve' : 'place',
    operation: 'postorder',
    deadlineMs: replyDeadlineMs,
    parameters: () => beginAttempt(orders, order),
    withdrawal,
  });
  order.withdrawal = undefined;
  if (order.state === 'waiting') {
    giveUp(orders, order);
    return;
  }
  // It was withdrawn: what was unknown still is.
  if (order.state === 'unknown') return;
  const outcome = storeOutcome(orders, order, reply);
  // A stream may have shown the order before its answer came.
  if (order.state === 'sending') yield* conclude(orders, order, outcome);
}

/** Stores what the answer to the last attempt proves, and returns it. */
export function storeOutcome(
  orders: OrderStates,
  order: TrackedOrder,
  reply: Reply<'postorder'>,
): PlaceOutcome {
  const { context } = orders;
  const outcome = outcomeOf(orders, order, reply);
  if (context.keepsAllRecords)
    context.record({
      kind: 'outcome',
      intentId: order.intentId,
      number: order.attempts,
      atMs: context.nowMs,
      outcome: outcome.kind,
      detail: outcome.kind === 'accepted' ? outcome.orderId : outcome.detail,
    });
  if (outcome.kind === 'market-closed' || (outcome.kind === 'ambiguous' && outcome.isMarketClosed))
    context.closeMarket(order.pair, outcome.detail);
  return outcome;
}

/**
 * The id of another order proves nothing about this one, but that something is wrong: it is one of
 * ours, or a stream has named this one by another id.
 */
function outcomeOf(
  { context, tracker }: OrderStates,
  order: TrackedOrder,
  reply: Reply<'postorder'>,
): PlaceOutcome {
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
  context.incident('ORDER_ID_DIFFERS', detail);
  context.setTradingState('bot', 'HALTED', detail);
  return { kind: 'ambiguous', detail, isMarketClosed: false };
}

/** Why an unknown order may not be sent again now; undefined if it may. */
export function whyNotAgain(orders: OrderStates, order: TrackedOrder): string | undefined {
  const { context } = orders;
  if (order.isOnlyLookedUp) return 'its answers or a restart forbid it';
  if (order.cancelRequestedMs !== undefined) return 'it is to be cancelled';
  if (orders.isOvertaken(order)) return 'it was wished for before a standstill';
  if (order.attempts >= attemptsMax) return `it was sent ${order.attempts} times`;
  const now = context.exchangeClock.nowMs(context.nowMs);
  if (now === undefined || now + ttlMs > order.validUntilMs) return 'it is too old';
  const refusals = context.refusalsAgain(order);
  return refusals.length === 0 ? undefined : refusals.join(', ');
}

function* conclude(orders: OrderStates, order: TrackedOrder, outcome: PlaceOutcome): Procedure {
  switch (outcome.kind) {
    case 'accepted':
      noteAccepted(orders, order, outcome.orderId);
      return;
    case 'not-sent':
      if (order.doubt !== 'none') orders.setState(order, 'unknown', outcome.detail);
      else {
        orders.setState(order, 'waiting', `not sent: ${outcome.detail}`);
        if (order.cancelRequestedMs === undefined) yield* wait(1_000, order.changed);
      }
      return;
    case 'post-only-cancelled':
    case 'rejected':
    case 'market-closed':
      // A market that moved or closed says nothing about how the strategy behaves.
      if (outcome.kind === 'rejected')
        orders.context.exposure.conduct.of(order.strategyId).rejections.add(orders.context.nowMs);
      if (order.doubt !== 'none') {
        // A refusal of this attempt says nothing about an earlier one that may have been taken, and
        // may be caused by it: by the money that it reserved, for one.
        order.raiseDoubt('lookup-only');
        orders.setState(order, 'unknown', outcome.detail);
        return;
      }
      if (outcome.kind === 'post-only-cancelled') yield* readCancelled(orders, order);
      if (order.state === 'sending') orders.setState(order, 'rejected', outcome.detail);
      return;
    case 'exists':
      order.raiseDoubt('said-to-exist');
      break;
    // The engine halts on a refused key; this order may have been taken before.
    case 'fatal':
    case 'throttled':
    case 'ambiguous':
      break;
  }
  order.raiseDoubt('unanswered');
  orders.setState(order, 'unknown', outcome.detail);
}

/** The exchange has taken the order and given it an id. */
export function noteAccepted(orders: OrderStates, order: TrackedOrder, orderId: string): void {
  order.orderId = orderId;
  orders.tracker.noteOrderId(order);
  orders.setState(order, 'open', () => `postorder answered ${orderId}`);
  orders.readLag.noteAccepted(order);
}

/** An order that was cancelled before it could trade may have left a record, and its order id. */
function* readCancelled(orders: OrderStates, order: TrackedOrder): Procedure {
  const reply = yield* call({
    lane: 'resolve',
    operation: 'getOrderV3',
    parameters: () => ({ client_order_id: order.clientOrderId }),
  });
  if (order.state === 'sending' && reply.kind === 'ok')
    applyOrderRecord(orders, order, reply.body, 'get order v3');
}

/**
 * Stores the attempt and returns the request, or undefined if the order is not to be sent any more.
 */
function beginAttempt(orders: OrderStates, order: TrackedOrder): PostorderParameters | undefined {
  const { context } = orders;
  const timestamp = context.exchangeClock.nowMs(context.nowMs);
  if (timestamp === undefined || timestamp + ttlMs > order.validUntilMs) return undefined;
  if (order.state === 'unknown') {
    if (whyNotAgain(orders, order) !== undefined) return undefined;
  } else {
    if (order.state !== 'waiting' || order.cancelRequestedMs !== undefined) return undefined;
    if (orders.isExpired(order)) return undefined;
  }
  // It was approved before they differed; its time to live would end at another time.
  if (Math.abs(timestamp - context.nowMs) > clockSkewMsMax) return undefined;
  order.attempts++;
  const attempt = { timestampMs: Math.floor(timestamp), ttlMs, leftMs: context.nowMs };
  order.lastAttempt = attempt;
  orders.setState(order, 'sending', () => `attempt ${order.attempts}`);
  return storeAttempt(orders, order, attempt);
}

/** Stores the attempt that has this number, and returns its request. */
export function storeAttempt(
  { context }: OrderStates,
  order: TrackedOrder,
  { timestampMs, ttlMs: attemptTtlMs }: NonNullable<TrackedOrder['lastAttempt']>,
): PostorderParameters {
  context.record({
    kind: 'attempt',
    intentId: order.intentId,
    number: order.attempts,
    atMs: context.nowMs,
    timestampMs,
    ttlMs: attemptTtlMs,
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
    timestamp: timestampMs,
    ttl: attemptTtlMs,
    client_order_id: order.clientOrderId,
  };
}

/** Ends an order of which nothing is at the exchange or on its way. */
function giveUp(orders: OrderStates, order: TrackedOrder): void {
  const why = whyUnsent(orders, order);
  orders.setState(order, 'unsent', `nothing left this machine: ${why}`);
}

function whyUnsent(orders: OrderStates, order: TrackedOrder): string {
  const { context } = orders;
  if (order.cancelRequestedMs !== undefined) return 'it was cancelled first';
  if (orders.isExpired(order)) return 'it waited too long';
  const exchangeMs = context.exchangeClock.nowMs(context.nowMs);
  if (exchangeMs === undefined) return "the exchange's clock is not known yet";
  if (Math.abs(exchangeMs - context.nowMs) > clockSkewMsMax)
    return "the exchange's clock differs from ours";
  return 'it waited too long';
}
