/** A trade of one of our orders, from the list of trades or delivered with a message. */
import { amountOfValue, amountOfVolume, formatAmount, type Sums } from '../../domain/amount.ts';
import {
  formatLots,
  formatTicks,
  formatValue,
  parseLots,
  parseTicks,
} from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { FillRow } from '../../domain/records.ts';
import type { DeliveredTrade } from '../../venues/luno/api/delivered-facts.ts';
import type { UserTrade } from '../../venues/luno/api/operations/order-operations.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { fillKeyOf, fillRowOf } from './fill-row.ts';

export type OwnTrade = {
  /** See {@link fillKeyOf}. */
  readonly key: string;
  readonly row: FillRow;
  readonly sums: Sums;
  /** Undefined if they are not whole ticks or lots. */
  readonly price: Ticks | undefined;
  readonly volume: Lots | undefined;
};

/** Returns a row of the list of trades; `key` and `sums` are those of the row. */
export function listedTradeOf(
  trade: UserTrade,
  order: TrackedOrder,
  { key, sums }: Pick<OwnTrade, 'key' | 'sums'>,
): OwnTrade {
  const row = fillRowOf(trade, order, order.terms.side);
  const price = parseTicks(trade.price, order.market);
  return { key, row, sums, price, volume: parseLots(trade.volume, order.market) };
}

/** Returns a trade that a message has delivered. */
export function deliveredTradeOf(trade: DeliveredTrade, order: TrackedOrder): OwnTrade {
  const { market, terms } = order;
  const { orderId, price, volume, feeBase, feeCounter } = trade;
  const value = tradedValueOf(price, volume);
  // Most orders trade at their own price, and as a whole.
  const volumeText = volume === terms.volume ? order.volumeText : formatLots(volume, market);
  const row: FillRow = {
    pair: order.pair,
    sequence: String(trade.sequence),
    orderId,
    intentId: order.intentId,
    strategyId: order.strategyId,
    side: terms.side,
    price: price === terms.price ? order.priceText : formatTicks(price, market),
    volume: volumeText,
    base: volumeText,
    counter: formatValue(value, market),
    feeBase: formatAmount(feeBase),
    feeCounter: formatAmount(feeCounter),
    tradedMs: trade.timeMs,
    maker: trade.takerSide !== terms.side,
  };
  const base = amountOfVolume(volume, market);
  const sums = { base, counter: amountOfValue(value, market), feeBase, feeCounter };
  return { key: fillKeyOf(row), row, sums, price, volume };
}

/** Returns ticks × lots; the product may exceed 2^53. */
export function tradedValueOf(price: Ticks, volume: Lots): number | bigint {
  const value = price * volume;
  return Number.isSafeInteger(value) ? value : BigInt(price) * BigInt(volume);
}
