/** Orders and trades as the tape exchange keeps them, and their shapes on the interface. */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import type { TimeInForce } from '../../domain/bot-settings.ts';
import {
  formatLots,
  formatTicks,
  formatValue,
  type Market,
  type Side,
} from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { OrderRecord, UserTrade } from '../../exchange-api/operations/order-operations.ts';
import type { UserMessage } from '../../exchange-api/user-messages.ts';

export type ReplayOrder = {
  readonly id: string;
  readonly pair: string;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly timeInForce: TimeInForce;
  readonly baseAccountId: string;
  readonly counterAccountId: string;
  readonly createdMs: number;
  status: 'PENDING' | 'COMPLETE';
  /** What stood before it at its price when it came to rest; undefined if it never did. */
  aheadAtRest: Lots | undefined;
  filled: Lots;
  /** Sum of price × volume over the fills, in ticks × lots. */
  filledValue: bigint;
  feeBase: Amount;
  feeCounter: Amount;
  /** What is still set aside: counter currency of a bid, base of an ask. */
  reserved: Amount;
  /** 0 until complete. */
  completedMs: number;
  /** When a cancel was processed, else 0. */
  cancelledMs: number;
};

/** What one fill added to its order. */
export type ReplayTrade = {
  readonly order: ReplayOrder;
  readonly sequence: number;
  readonly isMaker: boolean;
  /** What stood before the order; 0 for every maker fill of first-in-first-out data. */
  readonly aheadAtFill: Lots;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly timeMs: number;
};

/** A fill with what the list of trades says of it, which is asked for again and again. */
export type ReportedTrade = ReplayTrade & { readonly told: UserTrade };

/** Returns the order as list orders v2 and get order v3 answer it. */
export function orderRecordOf(order: ReplayOrder, market: Market): OrderRecord {
  return {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    pair: market.pair,
    side: order.side === 'BID' ? 'BUY' : 'SELL',
    type: 'LIMIT',
    status: order.status,
    time_in_force: order.timeInForce,
    limit_price: formatTicks(order.price, market),
    limit_volume: formatLots(order.volume, market),
    base: formatLots(order.filled, market),
    counter: formatValue(order.filledValue, market),
    fee_base: formatAmount(order.feeBase),
    fee_counter: formatAmount(order.feeCounter),
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

/** Returns a fill as the list of trades answers it. */
export function userTradeOf(trade: ReplayTrade, market: Market): UserTrade {
  const { order, isMaker, price, volume } = trade;
  return {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    pair: market.pair,
    sequence: String(trade.sequence),
    is_buy: (order.side === 'BID') !== isMaker,
    type: order.side,
    price: formatTicks(price, market),
    volume: formatLots(volume, market),
    base: formatLots(volume, market),
    counter: formatValue(BigInt(price) * BigInt(volume), market),
    fee_base: formatAmount(trade.feeBase),
    fee_counter: formatAmount(trade.feeCounter),
    timestamp: trade.timeMs,
  };
}

/** Returns what the user stream says when the order's status is a new one. */
export function orderStatusMessage(order: ReplayOrder, pair: string, timeMs: number): UserMessage {
  const update = {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    market_id: pair,
    status: order.status,
  };
  return { kind: 'order-status', timestamp: timeMs, update };
}

/** Returns what the user stream says of a fill: the order's sums after it, and what it added. */
export function orderFillMessage(trade: ReplayTrade, market: Market): UserMessage {
  const { order, price, volume } = trade;
  const update = {
    order_id: order.id,
    client_order_id: order.clientOrderId,
    market_id: market.pair,
    base_fill: formatLots(order.filled, market),
    counter_fill: formatValue(order.filledValue, market),
    base_delta: formatLots(volume, market),
    counter_delta: formatValue(BigInt(price) * BigInt(volume), market),
    base_fee: formatAmount(order.feeBase),
    counter_fee: formatAmount(order.feeCounter),
    base_fee_delta: formatAmount(trade.feeBase),
    counter_fee_delta: formatAmount(trade.feeCounter),
  };
  return { kind: 'order-fill', timestamp: trade.timeMs, update };
}
