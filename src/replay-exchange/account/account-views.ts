/** Orders, trades and ledger rows of an account as the port has them. */
import { amountOfScaled, amountOfValue, amountOfVolume } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { productOf } from '../../exchange-accounts/fee-schedule.ts';
import type { LedgerRow } from '../../exchange-accounts/ledger.ts';
import type { MovementView, OrderView, TradeView } from '../../venue/venue-reply.ts';
import type { ReplayOrder, ReplayTrade } from './replay-order.ts';

/** Returns an order as it is now. */
export function orderViewOf(order: ReplayOrder, market: Market): OrderView {
  const isEnded = order.status === 'COMPLETE';
  return {
    orderId: order.id,
    clientOrderId: order.clientOrderId,
    pair: order.pair,
    side: order.side,
    type: typeOf(order),
    stop: order.stop && {
      direction: order.stop.direction,
      price: amountOfScaled(order.stop.price, market.priceScale),
    },
    isAwaiting: order.status === 'AWAITING',
    price: order.isMarketOrder === true ? 0n : amountOfScaled(order.price, market.priceScale),
    volume: amountOfVolume(order.volume, market),
    timeInForce: order.isMarketOrder === true ? undefined : order.timeInForce,
    baseAccount: order.baseAccountId,
    counterAccount: order.counterAccountId,
    sums: {
      base: amountOfVolume(order.filled, market),
      counter: amountOfValue(order.filledValue, market),
      feeBase: order.feeBase,
      feeCounter: order.feeCounter,
    },
    isEnded,
    createdMs: order.createdMs,
    endedMs: isEnded ? order.completedMs : undefined,
  };
}

function typeOf({ isMarketOrder, stop }: ReplayOrder): OrderView['type'] {
  if (isMarketOrder === true) return 'market';
  return stop === undefined ? 'limit' : 'stop-limit';
}

export function tradeViewOf(trade: ReplayTrade, market: Market): TradeView {
  const { price, volume } = trade;
  const base = amountOfVolume(volume, market);
  return {
    pair: trade.pair,
    sequence: String(trade.sequence),
    orderId: trade.orderId,
    clientOrderId: trade.clientOrderId,
    side: trade.side,
    isMaker: trade.isMaker,
    price: amountOfScaled(price, market.priceScale),
    volume: base,
    sums: {
      base,
      counter: amountOfValue(productOf(price, volume), market),
      feeBase: trade.feeBase,
      feeCounter: trade.feeCounter,
    },
    atMs: trade.timeMs,
  };
}

export function movementViewOf(row: LedgerRow, currency: string): MovementView {
  return {
    row: row.rowIndex,
    atMs: row.timeMs,
    currency,
    kind: row.kind,
    delta: row.balanceDelta,
    balance: row.balance,
    availableDelta: row.availableDelta,
    available: row.available,
    trade: row.trade && { pair: row.trade.pair, sequence: String(row.trade.sequence) },
    text: rowTextOf(row),
  };
}

/** Returns the text of a row or an entry of a ledger. */
export function rowTextOf({
  description,
  trade,
}: Pick<LedgerRow, 'description' | 'trade'>): string {
  if (description !== undefined || trade === undefined || !('side' in trade))
    return description ?? '';
  return trade.side === 'BID' ? 'Bought' : 'Sold';
}
