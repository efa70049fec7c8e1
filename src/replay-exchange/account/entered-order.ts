/**
 * A market order as it enters the fill model: an IOC limit order at the farthest price at which the
 * exchange lets it trade, and for a buy bounded by its money.
 *
 * Over recorded orders it is refused as a whole if the book cannot fill it within that price, as
 * the exchange does. Trades and candles have no book to tell: there it fills as far as an IOC
 * order.
 */
import { amountScale, powerOfTen } from '../../domain/amount.ts';
import { type Market, opposite } from '../../domain/market.ts';
import { spendOf } from '../../domain/market-order.ts';
import { maxTicks, minTicks } from '../../domain/ticks-and-lots.ts';
import {
  farthestPrice,
  isTooFarFromBest,
  lotsFor,
  type MarketOrderSize,
  sweepOf,
} from '../../exchange-accounts/market-sweep.ts';
import type { PlaceRequest } from '../../venue/venue-request.ts';
import type { ReplayMarket } from '../fill-models/replay-market.ts';

/** An order as it enters the market. */
export type EnteredOrder = PlaceRequest & {
  readonly isMarketOrder?: true;
  /** What a market buy spends, as an amount and in ticks × lots. */
  readonly spend?: bigint | undefined;
  readonly money?: bigint | undefined;
};

/** Returns a market order as it enters; undefined without enough liquidity. */
export function enteredMarketOrder(
  request: PlaceRequest,
  market: Market,
  { book, kind }: Pick<ReplayMarket['history'], 'book' | 'kind'>,
): EnteredOrder | undefined {
  const { side, volume } = request;
  const best = book.bestPrice(opposite(side));
  if (best === undefined) return undefined;
  const spend = spendOf(request);
  const step = powerOfTen(amountScale - market.priceScale - market.volumeScale);
  const money = spend === undefined ? undefined : spend / step;
  const size: MarketOrderSize =
    money === undefined ? { side: 'ASK', volume } : { side: 'BID', value: money };
  const price = maxTicks(market.priceMin, minTicks(market.priceMax, farthestPrice(side, best)));
  const entered = { ...request, price, isMarketOrder: true, spend, money } as const;
  if (kind !== 'orders')
    return money === undefined ? entered : { ...entered, volume: lotsFor(money, best) };
  const sweep = sweepOf(size, book);
  if (sweep === undefined || isTooFarFromBest(side, sweep)) return undefined;
  return { ...entered, volume: sweep.volume };
}
