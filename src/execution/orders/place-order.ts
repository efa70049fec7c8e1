/**
 * Sends an order and derives its next state from the answer.
 *
 * The timestamp is the lower bound of the exchange's clock at the moment of sending, so that the
 * time to live is never longer than intended. The step that sends the request also stores the
 * attempt.
 *
 * An order whose outcome is unknown may be sent again under the same id once the previous attempt
 * is past its fence (see `resolve-unknown.ts`). Two facts prevent a second order, and either
 * suffices: the time to live of the previous attempt is over, and the exchange refuses a second
 * order with the same id.
 */

import { clockSkewMsMax } from '../../risk/checks/health-check.ts';
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { PlaceRequest } from '../../venue/venue-request.ts';
import { call, type Procedure, wait } from '../requests/procedure.ts';
import { takeOrderReply } from './apply-order-record.ts';
import type { OrderStates } from './order-states.ts';
import { ambiguous, type PlaceOutcome, placeOutcomeOf } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

export const replyDeadlineMs = 4_000;
const attemptsMax = 3;

const attemptProof = ({ attempts }: TrackedOrder): string => `attempt ${attempts}`;
const answeredProof = ({ orderId }: TrackedOrder): string => `accepted as ${orderId}`;

/** Sends an unknown order again; one that must not be sent stays unknown. */
export function* placeAgain(orders: OrderStates, order: TrackedOrder): Procedure {
  order.isAttempting = true;
  const reply = yield* call({
    // It resolves an unknown outcome, so it does not wait behind new orders.
    priority: 'resolve',
    deadlineMs: replyDeadlineMs,
    request: () => beginAttempt(orders, order),
  });
  order.isAttempting = false;
  // The attempt was withdrawn: the order is as unknown as before.
  if (order.state === 'unknown') return;
  const outcome = storeOutcome(orders, order, reply);
  // A stream may have reported the order before the answer arrived.
  if (order.state !== 'sending') return;
  if (outcome.kind === 'accepted') noteAccepted(orders, order, outcome.orderId);
  else yield* concludeOther(orders, order, outcome);
}

/** Stores and returns the outcome that the answer to the last attempt proves. */
export function storeOutcome(
  orders: OrderStates,
  order: TrackedOrder,
  reply: VenueReply<'place'>,
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
 * An answer with the wrong order id proves nothing about this order, and halts the bot. The id is
 * wrong if it belongs to another order of ours, or if a stream reported another id for this order.
 */
function outcomeOf(
  { context, tracker }: OrderStates,
  order: TrackedOrder,
  reply: VenueReply<'place'>,
): PlaceOutcome {
  const outcome = placeOutcomeOf(reply);
  if (outcome.kind !== 'accepted') return outcome;
  const named = tracker.byOrderId(outcome.orderId);
  const isOther = named !== undefined && named !== order;
  const isContradicted = order.namedId !== undefined && order.namedId !== outcome.orderId;
  if (!isOther && !isContradicted) return outcome;
  const conflict = isOther
    ? `which belongs to ${named.clientOrderId}`
    : `but the stream reports the id ${order.namedId}`;
  const detail = `${order.clientOrderId} was answered with the id ${outcome.orderId}, ${conflict}`;
  context.incident('ORDER_ID_DIFFERS', detail);
  context.setTradingState('bot', 'HALTED', detail);
  return ambiguous(detail);
}

/** Returns why an unknown order must not be sent again now; undefined if it may be. */
export function whyNotAgain(orders: OrderStates, order: TrackedOrder): string | undefined {
  const { context } = orders;
  if (order.isOnlyLookedUp || order.doubt === 'refused-later')
    return 'an earlier answer or a restart forbids it';
  if (order.cancelRequestedMs !== undefined) return 'its cancel was requested';
  if (orders.isFromBeforePause(order)) return 'it is older than a suspension of the process';
  if (order.attempts >= attemptsMax) return `it was sent ${order.attempts} times`;
  // A refusal would not show whether an earlier attempt had arrived and caused it.
  if (order.terms.postOnly && !order.awaiting && context.wouldTrade(order))
    return 'it is post-only and would trade';
  const now = context.exchangeClock.nowMs(context.nowMs);
  if (now === undefined || now + orders.ttlMs > order.validUntilMs) return 'it is too old';
  const refusals = context.resendRefusals(order);
  return refusals.length === 0 ? undefined : refusals.join(', ');
}

/** Derives the next state of an order that is being sent from an outcome other than `accepted`. */
export function* concludeOther(
  orders: OrderStates,
  order: TrackedOrder,
  outcome: Exclude<PlaceOutcome, { readonly kind: 'accepted' }>,
): Procedure {
  switch (outcome.kind) {
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
      if (outcome.kind === 'rejected')
        orders.context.exposure.activity.noteRejected(order, orders.context.nowMs);
      if (order.doubt !== 'none') {
        // An earlier attempt may have been accepted, and may even be the cause of this refusal, for
        // example because it reserved the money.
        order.raiseDoubt('refused-later');
        orders.setState(order, 'unknown', outcome.detail);
        return;
      }
      if (outcome.kind === 'post-only-cancelled') yield* readCancelled(orders, order);
      if (order.state !== 'sending') return;
      if (outcome.kind === 'post-only-cancelled')
        orders.context.exposure.activity.notePostOnlyRejected(order, orders.context.nowMs);
      orders.setState(order, 'rejected', outcome.detail);
      return;
    case 'exists':
      order.raiseDoubt('reported-to-exist');
      break;
    // The engine halts on a refused key; an earlier attempt may have been accepted.
    case 'fatal':
    case 'throttled':
    case 'ambiguous':
      break;
  }
  order.raiseDoubt('unanswered');
  orders.setState(order, 'unknown', outcome.detail);
}

/** Notes that the exchange accepted the order under `orderId`. */
export function noteAccepted(orders: OrderStates, order: TrackedOrder, orderId: string): void {
  order.orderId = orderId;
  orders.tracker.noteOrderId(order);
  orders.setState(order, 'open', answeredProof);
  orders.readLag.noteAccepted(order);
}

/** Reads an order that the exchange cancelled at once: it may have a record of the order. */
function* readCancelled(orders: OrderStates, order: TrackedOrder): Procedure {
  const reply = yield* call({
    priority: 'resolve',
    request: () => ({ kind: 'order', clientOrderId: order.clientOrderId }),
  });
  if (order.state === 'sending') takeOrderReply(orders, order, reply);
}

/** Stores the attempt and returns the request, or undefined if the order must not be sent now. */
export function beginAttempt(orders: OrderStates, order: TrackedOrder): PlaceRequest | undefined {
  const { context } = orders;
  const timestamp = context.exchangeClock.nowMs(context.nowMs);
  if (timestamp === undefined || timestamp + orders.ttlMs > order.validUntilMs) return undefined;
  if (order.state === 'unknown') {
    if (whyNotAgain(orders, order) !== undefined) return undefined;
  } else {
    if (order.state !== 'waiting' || order.cancelRequestedMs !== undefined) return undefined;
    if (orders.isExpired(order)) return undefined;
    if (refusalsOfFirst(orders, order).length > 0) return undefined;
  }
  // The clocks differ since the approval, so the time to live would end at the wrong time.
  if (Math.abs(timestamp - context.nowMs) > clockSkewMsMax) return undefined;
  order.attempts++;
  const attempt = {
    timestampMs: Math.floor(timestamp),
    ttlMs: orders.ttlMs,
    leftMs: context.nowMs,
  };
  order.lastAttempt = attempt;
  orders.setState(order, 'sending', attemptProof);
  return storeAttempt(orders, order, attempt);
}

/**
 * Returns what speaks against sending an approved order for the first time. It may have waited for
 * the call budget: meanwhile the price of a limit order holds it, and nothing holds a market order.
 */
function refusalsOfFirst({ context }: OrderStates, order: TrackedOrder): readonly string[] {
  return order.terms.pays === undefined ? [] : context.resendRefusals(order);
}

/** Stores the current attempt and returns its request. */
export function storeAttempt(
  { context }: OrderStates,
  order: TrackedOrder,
  { timestampMs, ttlMs }: NonNullable<TrackedOrder['lastAttempt']>,
): PlaceRequest {
  if (context.keepsAllRecords)
    context.record({
      kind: 'attempt',
      intentId: order.intentId,
      number: order.attempts,
      atMs: context.nowMs,
      timestampMs,
      ttlMs,
    });
  context.results?.noteAttempt(order, context.nowMs);
  const { terms } = order;
  return {
    kind: 'place',
    pair: order.pair,
    side: terms.side,
    price: terms.price,
    volume: terms.volume,
    timeInForce: terms.timeInForce,
    postOnly: terms.postOnly,
    stop: terms.stop,
    pays: terms.pays,
    baseAccountId: order.baseAccountId,
    counterAccountId: order.counterAccountId,
    timestampMs,
    ttlMs,
    clientOrderId: order.clientOrderId,
  };
}

/** Ends an order that was never sent. */
export function giveUp(orders: OrderStates, order: TrackedOrder): void {
  const why = whyUnsent(orders, order);
  orders.setState(order, 'unsent', `not sent: ${why}`);
}

function whyUnsent(orders: OrderStates, order: TrackedOrder): string {
  const { context } = orders;
  if (order.cancelRequestedMs !== undefined) return 'it was cancelled first';
  if (orders.isExpired(order)) return 'it waited too long';
  const exchangeMs = context.exchangeClock.nowMs(context.nowMs);
  if (exchangeMs === undefined) return "the exchange's clock is not known yet";
  if (Math.abs(exchangeMs - context.nowMs) > clockSkewMsMax)
    return "the exchange's clock differs from ours";
  const refusals = refusalsOfFirst(orders, order);
  if (refusals.length > 0) return `the gate refuses it by now: ${refusals.join(', ')}`;
  return 'it waited too long';
}
