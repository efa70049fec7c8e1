/** One order as the simulated exchange keeps it, and its records on the wire. */
import { type Amount, formatWireAmount } from '../../domain/amount.ts';
import { formatLots, formatTicks, formatValue, type Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import type { OriginalOrderRecord } from '../../exchange-api/operations/order-record-operations.ts';
import { type NewOrder, reservationOf } from './matching.ts';
import { orderIdOf } from './order-id.ts';

export type SimulatedOrder = NewOrder & {
  readonly id: string;
  /** Counts all orders of the exchange. */
  readonly number: number;
  /** When it entered the book, counted over all orders: the queue order within a price. */
  arrival: number;
  readonly createdMs: number;
  /** AWAITING: a stop order before its trigger. */
  status: 'AWAITING' | 'PENDING' | 'COMPLETE';
  /** Executed so far. */
  filled: Lots;
  /** Sum of price × volume over the trades, in ticks × lots. */
  filledValue: bigint;
  feeBase: Amount;
  feeCounter: Amount;
  /**
   * What the exchange still holds back for the order: counter currency of a bid, base of an ask.
   */
  reserved: Amount;
  /** 0 until complete. */
  completedMs: number;
  /** When a cancel was processed, else 0. */
  cancelledMs: number;
};

/** Returns a new order that has not traded yet, with what it sets aside. */
export function createOrder(
  terms: NewOrder,
  at: {
    readonly idSeed: bigint;
    readonly number: number;
    readonly market: Market;
    readonly timeMs: number;
  },
): SimulatedOrder {
  return {
    ...terms,
    id: orderIdOf(at.idSeed, at.number),
    number: at.number,
    createdMs: at.timeMs,
    arrival: 0,
    status: terms.stop === undefined ? 'PENDING' : 'AWAITING',
    filled: 0 as Lots,
    filledValue: 0n,
    feeBase: 0n,
    feeCounter: 0n,
    reserved: reservationOf(terms, at.market),
    completedMs: 0,
    cancelledMs: 0,
  };
}

/** Returns what is left to execute. */
export function remainingOf(order: SimulatedOrder): Lots {
  return (order.volume - order.filled) as Lots;
}

/** Returns the order as list orders v2 and get order v3 answer it. */
export function orderRecordOf(order: SimulatedOrder, market: Market): OrderRecord {
  return {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    pair: order.pair,
    side: order.side === 'BID' ? 'BUY' : 'SELL',
    type: typeOf(order),
    status: order.status,
    time_in_force: order.isMarketOrder === true ? '' : order.timeInForce,
    limit_price: limitPriceOf(order, market),
    limit_volume: formatLots(order.volume, market),
    base: formatLots(order.filled, market),
    counter: formatValue(order.filledValue, market),
    fee_base: formatWireAmount(order.feeBase),
    fee_counter: formatWireAmount(order.feeCounter),
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    creation_timestamp: order.createdMs,
    completed_timestamp: order.completedMs,
    expiration_timestamp: order.cancelledMs,
    stop_direction: order.stop?.direction ?? '',
    stop_price: order.stop && formatTicks(order.stop.price, market),
    leverage: order.leverage ?? 0,
  };
}

/** Returns the order as list orders and get order answer it, without its leverage. */
export function originalRecordOf(order: SimulatedOrder, market: Market): OriginalOrderRecord {
  const isMarketOrder = order.isMarketOrder === true;
  const [buy, sell] = isMarketOrder ? ['BUY', 'SELL'] : ['BID', 'ASK'];
  return {
    order_id: order.id,
    pair: order.pair,
    type: (order.side === 'BID' ? buy : sell) as OriginalOrderRecord['type'],
    state: order.status === 'COMPLETE' ? 'COMPLETE' : 'PENDING',
    time_in_force: isMarketOrder ? '' : order.timeInForce,
    limit_price: limitPriceOf(order, market),
    limit_volume: formatLots(order.volume, market),
    base: formatLots(order.filled, market),
    counter: formatValue(order.filledValue, market),
    fee_base: formatWireAmount(order.feeBase),
    fee_counter: formatWireAmount(order.feeCounter),
    creation_timestamp: order.createdMs,
    completed_timestamp: order.completedMs,
    expiration_timestamp: order.cancelledMs,
  };
}

function typeOf(order: SimulatedOrder): OrderRecord['type'] {
  if (order.isMarketOrder === true) return 'MARKET';
  return order.stop === undefined ? 'LIMIT' : 'STOP_LIMIT';
}

/** A market order has no price of its own; what it may pay at worst is nobody's business. */
function limitPriceOf(order: SimulatedOrder, market: Market): string {
  return formatTicks(order.isMarketOrder === true ? (0 as Ticks) : order.price, market);
}
