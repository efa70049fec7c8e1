/** Reads Luno's records of orders and of own trades. */
import type { Sums } from '../../../domain/amount.ts';
import type { TimeInForce } from '../../../domain/bot-settings.ts';
import type { Side } from '../../../domain/market.ts';
import { checkOrder, checkTrade, RowReader } from '../../../venue/row-checks.ts';
import type { OrderView, TradeView, WrongValue } from '../../../venue/venue-reply.ts';
import type { OrderRecord, UserTrade } from '../api/operations/order-operations.ts';

/** Returns an order, or its first value that cannot be true. */
export function orderViewOf(record: OrderRecord): OrderView | WrongValue {
  const row = new RowReader(`order ${record.order_id}`, {
    orderId: record.order_id,
    clientOrderId: record.client_order_id,
  });
  const type = typeOf(record.type);
  const view: OrderView = {
    orderId: record.order_id,
    clientOrderId: record.client_order_id,
    pair: record.pair,
    side: sideOf(row, record.side),
    type,
    price: row.amount('price', record.limit_price),
    volume: row.amount('volume', record.limit_volume),
    stop: stopOf(row, record, type),
    isAwaiting: isAwaitingIn(record),
    timeInForce: timeInForceOf(row, record.time_in_force, type),
    baseAccount: record.base_account_id,
    counterAccount: record.counter_account_id,
    sums: sumsOf(row, record),
    isEnded: record.status === 'COMPLETE' || record.completed_timestamp > 0,
    createdMs: record.creation_timestamp,
    endedMs: record.completed_timestamp > 0 ? record.completed_timestamp : undefined,
  };
  if (row.wrong === undefined) checkOrder(row, view);
  return row.wrong ?? view;
}

/** A status that was added since this was written says nothing of a stop. */
function isAwaitingIn({ status }: OrderRecord): boolean | undefined {
  const isKnown = status === 'AWAITING' || status === 'PENDING' || status === 'COMPLETE';
  return isKnown ? status === 'AWAITING' : undefined;
}

/** Returns a trade on `pair`, or its first value that cannot be true. */
export function tradeViewOf(trade: UserTrade, pair: string): TradeView | WrongValue {
  const row = new RowReader(`trade ${trade.sequence} of ${trade.pair}`, {
    orderId: trade.order_id,
    clientOrderId: trade.client_order_id,
  });
  const side = sideOf(row, trade.type);
  const view: TradeView = {
    pair: trade.pair,
    sequence: trade.sequence,
    orderId: trade.order_id,
    clientOrderId: trade.client_order_id,
    side,
    // `is_buy` is the taker's side; if ours is the other side, we were the maker.
    isMaker: trade.is_buy !== (side === 'BID'),
    price: row.amount('price', trade.price),
    volume: row.amount('volume', trade.volume),
    sums: sumsOf(row, trade),
    atMs: trade.timestamp,
  };
  if (row.wrong === undefined) checkTrade(row, view, pair);
  return row.wrong ?? view;
}

function typeOf(text: string): OrderView['type'] {
  if (text === 'LIMIT') return 'limit';
  if (text === 'MARKET') return 'market';
  return text === 'STOP_LIMIT' ? 'stop-limit' : 'other';
}

/** The stop of a record stays when the order has become a limit order. */
function stopOf(
  row: RowReader,
  record: Pick<OrderRecord, 'stop_direction' | 'stop_price'>,
  type: OrderView['type'],
): OrderView['stop'] {
  const { stop_price: text, stop_direction: direction } = record;
  if (text === undefined || type === 'other' || type === 'market') return undefined;
  const price = row.amount('stop price', text);
  if (price === 0n) return undefined;
  if (direction === 'ABOVE' || direction === 'BELOW') return { direction, price };
  row.refuse('stop direction', direction, 'must be ABOVE or BELOW');
  return undefined;
}

/** Luno has two names for each side. */
function sideOf(row: RowReader, text: string): Side {
  if (text === 'BID' || text === 'BUY') return 'BID';
  if (text !== 'ASK' && text !== 'SELL') row.refuse('side', text, 'must be BID, BUY, ASK or SELL');
  return 'ASK';
}

function timeInForceOf(
  row: RowReader,
  text: string,
  type: OrderView['type'],
): TimeInForce | undefined {
  if (text === 'GTC' || text === 'IOC' || text === 'FOK') return text;
  if (text !== '' && type !== 'other' && type !== 'market')
    row.refuse('time in force', text, 'must be GTC, IOC or FOK');
  return undefined;
}

function sumsOf(
  row: RowReader,
  record: Pick<OrderRecord, 'base' | 'counter' | 'fee_base' | 'fee_counter'>,
): Sums {
  return {
    base: row.amount('base', record.base),
    counter: row.amount('counter', record.counter),
    feeBase: row.amount('base fee', record.fee_base),
    feeCounter: row.amount('counter fee', record.fee_counter),
  };
}
