/**
 * Merges an order record of the exchange into our order. Only a record makes an order complete,
 * except a cancelled one whose end two other sources report (`end-by-stream.ts`).
 *
 * Invariants: sums only grow, unless all records of two minutes contradict an earlier one; COMPLETE
 * is never undone here, because a lagging replica may answer with an older state; a record whose
 * terms differ from the intent's is an incident and halts the bot.
 */
import { formatAmount, type Sums } from '../../domain/amount.ts';
import { decimalOf } from '../../domain/money.ts';
import type { OrderState } from '../../domain/order.ts';
import type { OrderRecord } from '../../venues/luno/api/operations/order-operations.ts';
import type { OrderStates } from './order-states.ts';
import { equalSums, parseSums } from './sums.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** A provisional fill that no other source confirms within this time is discarded. */
const provisionalMsMax = 120_000;

/** Merges `record` into `order`; `proof` names the source of the record. */
export function applyOrderRecord(
  orders: OrderStates,
  order: TrackedOrder,
  record: OrderRecord,
  proof: string,
): void {
  const { context } = orders;
  if (record.client_order_id !== order.clientOrderId) {
    // A record of another order proves nothing about this one.
    const named = record.client_order_id || 'an order without a client_order_id of ours';
    report(orders, order, 'ORDER_ID_DIFFERS', `${record.order_id} is ${named}`);
    return;
  }
  const difference = differenceOf(order, record);
  if (difference !== undefined) report(orders, order, 'ORDER_DIFFERS', difference);
  if (order.orderId !== undefined && order.orderId !== record.order_id)
    report(
      orders,
      order,
      'ORDER_ID_DIFFERS',
      `its order id was ${order.orderId} and is now ${record.order_id}`,
    );
  const isOtherId = order.orderId !== undefined && order.orderId !== record.order_id;
  orders.tracker.replaceOrderId(order, record.order_id);
  order.namedId = record.order_id;
  // The record has our own id, so stops and reads use its order id from now on.
  if (isOtherId) orders.store(order);

  const reported = parseSums(record);
  if (reported === undefined || !order.canBeFilled(reported.base)) {
    report(orders, order, 'ORDER_DIFFERS', describeSums(record));
    return;
  }
  const isComplete = record.status === 'COMPLETE' || record.completed_timestamp > 0;
  takeSums(orders, order, reported, isComplete);
  dropUnconfirmedFill(orders, order);
  if (order.isFilledBeyondBooked) orders.requestTrades(order.pair);

  if (isComplete && order.completedMs === undefined)
    order.completedMs = record.completed_timestamp || context.nowMs;
  if (isComplete) order.isUnchecked = false;
  else order.isEndStreamed = false;
  const seen = (): string => `${proof}: ${describe(record)}`;
  if (isComplete && !isKnownEnd(order.state)) orders.setState(order, 'completing', seen);
  if (!isComplete && order.state !== 'open' && !isKnownEnd(order.state))
    orders.setState(order, 'open', seen);
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

function describeSums({ base, counter, fee_base, fee_counter }: OrderRecord): string {
  return `base ${base} for counter ${counter}, fees ${fee_base} and ${fee_counter}`;
}

function describe(record: OrderRecord): string {
  return `${record.order_id} ${record.status}, base ${record.base} of ${record.limit_volume}`;
}

function differenceOf(order: TrackedOrder, record: OrderRecord): string | undefined {
  const { terms } = order;
  const side = terms.side === 'BID' ? 'BUY' : 'SELL';
  const { priceText: price, volumeText: volume } = order;
  if (record.pair !== order.pair) return `pair ${record.pair}, sent ${order.pair}`;
  if (record.side !== side) return `side ${record.side}, sent ${side}`;
  if (!isSame(record.limit_price, price)) return `price ${record.limit_price}, sent ${price}`;
  if (!isSame(record.limit_volume, volume)) return `volume ${record.limit_volume}, sent ${volume}`;
  const { baseAccountId, counterAccountId } = order;
  if (record.base_account_id !== baseAccountId || record.counter_account_id !== counterAccountId)
    return `accounts ${record.base_account_id} and ${record.counter_account_id}, sent ${baseAccountId} and ${counterAccountId}`;
  return undefined;
}

function isSame(reported: string, sent: string): boolean {
  return reported === sent || decimalOf(reported).eq(sent);
}
