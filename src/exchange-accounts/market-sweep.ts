/** What a market order would trade in a book, as every exchange decides it. */
import { opposite, type Side } from '../domain/market.ts';
import { type Lots, parseScaled, type Ticks } from '../domain/money.ts';
import { addLots, lotsOf, minLots, noLots, subtractLots } from '../domain/ticks-and-lots.ts';
import type { BookView } from '../market/book/book-view.ts';

/** The volume to sell, or the value to spend in ticks × lots. */
export type MarketOrderSize =
  | { readonly side: 'ASK'; readonly volume: Lots }
  | { readonly side: 'BID'; readonly value: bigint };

/** What a market order would trade in the current book. */
export type MarketSweep = {
  readonly volume: Lots;
  readonly bestPrice: Ticks;
  readonly worstPrice: Ticks;
};

/** Returns what the order would trade, or undefined if the book cannot fill it. */
export function sweepOf(size: MarketOrderSize, book: BookView): MarketSweep | undefined {
  const side = opposite(size.side);
  const bestPrice = book.bestPrice(side);
  let volume = noLots;
  let worstPrice = bestPrice;
  let value = size.side === 'BID' ? size.value : 0n;
  for (let price = bestPrice; price !== undefined; price = book.priceAfter(side, price)) {
    const offered = book.volumeAt(side, price);
    const left = size.side === 'BID' ? lotsFor(value, price) : subtractLots(size.volume, volume);
    const taken = minLots(left, offered);
    value -= BigInt(taken) * BigInt(price);
    volume = addLots(volume, taken);
    if (taken > 0) worstPrice = price;
    if (taken === left)
      return bestPrice === undefined || worstPrice === undefined
        ? undefined
        : { volume, bestPrice, worstPrice };
  }
  return undefined;
}

/** Returns whether a part would trade more than 10 % away from the best price. */
export function isTooFarFromBest(
  side: Side,
  { bestPrice, worstPrice }: Pick<MarketSweep, 'bestPrice' | 'worstPrice'>,
): boolean {
  const [best, worst] = [BigInt(bestPrice), BigInt(worstPrice)];
  return side === 'BID' ? worst * 10n > best * 11n : worst * 10n < best * 9n;
}

/** Returns the worst price that is not {@link isTooFarFromBest}. */
export function farthestPrice(side: Side, best: Ticks): Ticks {
  const edge = side === 'BID' ? (BigInt(best) * 11n) / 10n : (BigInt(best) * 9n + 9n) / 10n;
  return (parseScaled(edge.toString(), 0) ?? best) as Ticks;
}

/**
 * Returns how many lots `value` (ticks × lots) buys at `price`, at most the largest safe integer.
 */
export function lotsFor(value: bigint, price: Ticks): Lots {
  const lots = value / BigInt(price);
  return lotsOf(parseScaled(lots.toString(), 0) ?? Number.MAX_SAFE_INTEGER);
}
