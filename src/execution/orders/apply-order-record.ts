/**
 * Merges the exchange's record of an order into our order. Only a record makes an order complete,
 * except a cancelled one whose end two other sources report (`end-by-stream.ts`).
 *
 * Invariants: sums only grow, unless all records of two minutes contradict an earlier one; its end
 * is never undone here, because a lagging replica may answer with an older state; a record whose
 * terms differ from the intent's, or that cannot be true, is an incident and halts the bot.
 */
import { amountOfScaled, formatAmount, type Sums } from '../../domain/amount.ts';
import { orderTypeOf } from '../../domain/limit-order.ts';
import type { OrderState } from '../../domain/order.ts';
import { wrongText } from '../../venue/row-checks.ts';
import type { OrderView, VenueReply, WrongValue } from '../../venue/venue-reply.ts';
import type { OrderStates } from './order-states.ts';
import { equalSums } from './sums.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** A provisional fill that no other source confirms within this time is discarded. */
const provisionalMsMax = 120_000;

/** The source of a record that was asked for. */
const ownRecord = 'its record';

/** Merges the answer to a read of `order` into it; returns the record, if it could be read. */
export function takeOrderReply(
  orders: OrderStates,
  order: TrackedOrder,
  reply: VenueReply<'order'>,
): OrderView | undefined {
  if (reply.kind === 'ok') {
    applyOrderRecord(orders, order, reply.value, ownRecord);
    return reply.value;
  }
  if (reply.kind === 'no-answer' && reply.wrong !== undefined)
    reportWrongOrder(orders, order, reply.wrong);
  return undefined;
}

/** Reports each order of ours about which a list says what cannot be true. */
export function reportWrongOrders(orders: OrderStates, wrong: readonly WrongValue[]): void {
  for (const value of wrong) {
    const { orderId = '', clientOrderId = '' } = value;
    const order = orders.tracker.find({ orderId, clientOrderId });
    if (order !== undefined) reportWrongOrder(orders, order, value);
  }
}

function reportWrongOrder(orders: OrderStates, order: TrackedOrder, wrong: WrongValue): void {
  const isNamed = wrong.clientOrderId === order.clientOrderId;
  report(orders, order, isNamed ? 'ORDER_DIFFERS' : 'ORDER_ID_DIFFERS', wrongText(wrong));
}

/** Merges `record` into `order`; `proof` names the source of the record. */
export function applyOrderRecord(
  orders: OrderStates,
  order: TrackedOrder,
  record: OrderView,
  proof: string,
): void {
  const { context } = orders;
  if (record.clientOrderId !== order.clientOrderId) {
    // A record of another order proves nothing about this one.
    const named = record.clientOrderId || 'an order without a client order id of ours';
    report(orders, order, 'ORDER_ID_DIFFERS', `${record.orderId} is ${named}`);
    return;
  }
  const difference = differenceOf(order, record);
  if (difference !== undefined) report(orders, order, 'ORDER_DIFFERS', difference);
  if (order.orderId !== undefined && order.orderId !== record.orderId)
    report(
      orders,
      order,
      'ORDER_ID_DIFFERS',
      `its order id was ${order.orderId} and is now ${record.orderId}`,
    );
  const isOtherId = order.orderId !== undefined && order.orderId !== record.orderId;
  orders.tracker.replaceOrderId(order, record.orderId);
  order.namedId = record.orderId;
  // The record has our own id, so stops and reads use its order id from now on.
  if (isOtherId) orders.store(order);

  const { sums: reported, isEnded: isComplete } = record;
  if (!order.canBeFilled(reported.base)) {
    report(orders, order, 'ORDER_DIFFERS', describeSums(reported));
    return;
  }
  takeSums(orders, order, reported, isComplete);
  dropUnconfirmedFill(orders, order);
  if (order.awaiting && hasTriggered(record)) orders.noteTriggered(order, proof);
  if (order.isFilledBeyondBooked) orders.requestTrades(order.pair);

  if (isComplete && order.completedMs === undefined)
    order.completedMs = record.endedMs ?? context.nowMs;
  if (isComplete) order.isUnchecked = false;
  else order.isEndStreamed = false;
  const seen = (): string => `${proof}: ${describe(record)}`;
  if (isComplete && !isKnownEnd(order.state)) orders.setState(order, 'completing', seen);
  if (!isComplete && order.state !== 'open' && !isKnownEnd(order.state))
    orders.setState(order, 'open', seen);
}

/** A stop order may end without its trigger; what it has traded shows that it was triggered. */
function hasTriggered({ isAwaiting, isEnded, sums }: OrderView): boolean {
  return sums.base > 0n || (isAwaiting === false && !isEnded);
}

/** Records a contradiction about an order, once for each code, and halts the bot. */
function report(orders: OrderStates, order: TrackedOrder, code: string, what: string): void {
  if (!order.noteReport(code)) return;
  const text = `order ${order.clientOrderId} is not what was sent: ${what}`;
  orders.context.incident(code, text);
  orders.context.setTradingState('bot', 'HALTED', text);
}

/**
 * Takes the sums of a record, which only grow. The exception: if all records of two minutes after
 * the order's end report less than an earlier record and agree with our fills, the earlier record
 * was wrong.
 */
function takeSums(
  { context }: OrderStates,
  order: TrackedOrder,
  reported: Sums,
  isComplete: boolean,
): void {
  const before = order.reported.base;
  if (reported.base >= before) {
    order.reported = reported;
    order.deniedSinceMs = undefined;
    return;
  }
  if (!isComplete || !equalSums(reported, order.booked)) return;
  order.deniedSinceMs ??= context.nowMs;
  if (context.nowMs - order.deniedSinceMs < provisionalMsMax) return;
  context.incident(
    'SUMS_DENIED',
    `order ${order.clientOrderId}: one record reported ${formatAmount(before)} as filled, but all later ones and our fills ${formatAmount(reported.base)}`,
  );
  order.reported = reported;
}

/** Discards a fill that only the user stream reported, and no record or trade has confirmed. */
function dropUnconfirmedFill(orders: OrderStates, order: TrackedOrder): void {
  const { streamed } = order;
  if (streamed === undefined || orders.context.nowMs - streamed.atMs <= provisionalMsMax) return;
  const { reported, booked } = order;
  const confirmed = reported.base > booked.base ? reported.base : booked.base;
  if (streamed.base <= confirmed) return;
  orders.context.incident(
    'UNCONFIRMED_FILL',
    `order ${order.clientOrderId}: the user stream reported ${formatAmount(streamed.base)} as filled, but only ${formatAmount(confirmed)} is confirmed`,
  );
  order.streamed = { base: confirmed, atMs: streamed.atMs };
}

/** Whether the order is known to have ended at the exchange; a record cannot undo that. */
function isKnownEnd(state: OrderState): boolean {
  return state === 'completing' || state === 'filled' || state === 'cancelled';
}

function describeSums({ base, counter, feeBase, feeCounter }: Sums): string {
  const fees = `${formatAmount(feeBase)} and ${formatAmount(feeCounter)}`;
  return `base ${formatAmount(base)} for counter ${formatAmount(counter)}, fees ${fees}`;
}

function describe({ orderId, isEnded, sums, volume }: OrderView): string {
  const filled = `${formatAmount(sums.base)} of ${formatAmount(volume)}`;
  return `${orderId} ${isEnded ? 'complete' : 'open'}, base ${filled}`;
}

function differenceOf(order: TrackedOrder, record: OrderView): string | undefined {
  const { terms, baseAccountId, counterAccountId, market } = order;
  const { pair, side, price, volume, baseAccount, counterAccount } = record;
  if (pair !== order.pair) return `pair ${pair}, sent ${order.pair}`;
  if (side !== terms.side) return `side ${side}, sent ${terms.side}`;
  const type = orderTypeOf(terms);
  // A market order has no price of its own, and its record only shows what it traded.
  if (type === 'market' || record.type === 'market') {
    if (type !== record.type) return `type ${record.type}, sent ${type}`;
  } else {
    if (price !== amountOfScaled(terms.price, market.priceScale))
      return `price ${formatAmount(price)}, sent ${order.priceText}`;
    if (volume !== order.volume) return `volume ${formatAmount(volume)}, sent ${order.volumeText}`;
  }
  const stopDifference = stopDifferenceOf(order, record);
  if (stopDifference !== undefined) return stopDifference;
  if (baseAccount !== baseAccountId || counterAccount !== counterAccountId)
    return `accounts ${baseAccount} and ${counterAccount}, sent ${baseAccountId} and ${counterAccountId}`;
  return undefined;
}

/** The stop stays in the record when the order has become a limit order. */
function stopDifferenceOf({ terms, stopPriceText, market }: TrackedOrder, { stop }: OrderView) {
  const sent = terms.stop;
  if (stop === undefined && sent === undefined) return undefined;
  const isSame =
    stop?.direction === sent?.direction &&
    stop?.price === (sent && amountOfScaled(sent.price, market.priceScale));
  if (isSame) return undefined;
  const shown = stop === undefined ? 'none' : `${stop.direction} ${formatAmount(stop.price)}`;
  return `stop ${shown}, sent ${sent === undefined ? 'none' : `${sent.direction} ${stopPriceText}`}`;
}
