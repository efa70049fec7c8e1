/** A trade of one of our orders, from the list of trades. */
import {
  type Amount,
  amountOfValue,
  formatAmount,
  lotsOfAmount,
  ticksOfAmount,
} from '../../domain/amount.ts';
import { formatLots, formatTicks, formatValue, type Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { FillRow } from '../../domain/records.ts';
import type { TradeView } from '../../venue/venue-reply.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';

export type OwnTrade = {
  readonly row: FillRow;
  /** Undefined if they are not whole ticks or lots. */
  readonly price: Ticks | undefined;
  readonly volume: Lots | undefined;
};

/** Returns a trade of `order` with its row for the store. */
export function ownTradeOf(trade: TradeView, order: TrackedOrder): OwnTrade {
  const { market } = order;
  const { sums } = trade;
  const price = ticksOfAmount(trade.price, market);
  const volume = lotsOfAmount(trade.volume, market);
  const volumeText = volume === undefined ? formatAmount(trade.volume) : formatLots(volume, market);
  const row: FillRow = {
    pair: trade.pair,
    sequence: trade.sequence,
    orderId: trade.orderId,
    intentId: order.intentId,
    strategyId: order.strategyId,
    side: order.terms.side,
    price: price === undefined ? formatAmount(trade.price) : formatTicks(price, market),
    volume: volumeText,
    base: sums.base === trade.volume ? volumeText : formatAmount(sums.base),
    counter: counterText(sums.counter, price, volume, market),
    feeBase: formatAmount(sums.feeBase),
    feeCounter: formatAmount(sums.feeCounter),
    tradedMs: trade.atMs,
    maker: trade.isMaker,
  };
  return { row, price, volume };
}

/** The value of a trade is usually its price × its volume, with as many decimals as they have. */
function counterText(
  counter: Amount,
  price: Ticks | undefined,
  volume: Lots | undefined,
  market: Market,
): string {
  if (price === undefined || volume === undefined) return formatAmount(counter);
  const value = tradedValueOf(price, volume);
  return counter === amountOfValue(value, market)
    ? formatValue(value, market)
    : formatAmount(counter);
}

/** Returns why a trade cannot be one of `order`, as text; such a trade is not booked. */
export function problemWith(order: TrackedOrder, trade: TradeView): string | undefined {
  const { side } = order.terms;
  const { base } = trade.sums;
  if (trade.side !== side) return `is ${trade.side}, the order is ${side}`;
  if (trade.pair !== order.pair) return `is of ${trade.pair}, the order is of ${order.pair}`;
  return order.canBeFilled(base) ? undefined : `has a base of ${formatAmount(base)}`;
}

/** Returns the key of a fill as text. */
export function fillKeyOf(fill: {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
}): string {
  return `${fill.pair}|${fill.sequence}|${fill.orderId}`;
}

/** Returns ticks × lots; the product may exceed 2^53. */
export function tradedValueOf(price: Ticks, volume: Lots): number | bigint {
  const value = price * volume;
  return Number.isSafeInteger(value) ? value : BigInt(price) * BigInt(volume);
}
