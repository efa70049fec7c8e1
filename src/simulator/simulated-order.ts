/** One order as the simulated exchange keeps it, and its v2 record on the wire. */
import type { TimeInForce } from '../domain/bot-settings.ts';
import { formatLots, formatTicks, formatValue, type Market, type Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import type { OrderRecord } from '../interface/operations/orders.ts';
import { formatUnits, type Units } from './units.ts';

export type SimulatedOrder = {
  readonly id: string;
  /** Empty if the caller gave none. */
  readonly clientOrderId: string;
  readonly userId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  /** Counts all orders of the exchange; within a price it is the queue order. */
  readonly number: number;
  readonly createdMs: number;
  status: 'PENDING' | 'COMPLETE';
  /** Executed so far. */
  filled: Lots;
  /** Sum of price × volume over the trades, in ticks × lots. */
  filledValue: bigint;
  feeBase: Units;
  feeCounter: Units;
  /**
   * What the exchange still holds back for the order: counter currency of a bid, base of an ask.
   */
  reserved: Units;
  /** 0 until complete. */
  completedMs: number;
  /** When a cancel was processed, else 0. */
  cancelledMs: number;
};

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
    type: 'LIMIT',
    status: order.status,
    time_in_force: order.timeInForce,
    limit_price: formatTicks(order.price, market),
    limit_volume: formatLots(order.volume, market),
    base: formatLots(order.filled, market),
    counter: formatValue(order.filledValue, market),
    fee_base: formatUnits(order.feeBase),
    fee_counter: formatUnits(order.feeCounter),
    base_account_id: order.baseAccountId,
    counter_account_id: order.counterAccountId,
    creation_timestamp: order.createdMs,
    completed_timestamp: order.completedMs,
    expiration_timestamp: order.cancelledMs,
    stop_direction: '',
    stop_price: undefined,
    leverage: 0,
  };
}
