/** The book of a pair, as one strategy reads it. */
import type { Side } from '../../domain/market.ts';
import type { BookLevel, Top } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';
import { checkChoice, checkWhole, refuseArgument } from '../argument.ts';

/** The prices and volumes of a book that can be used. */
export type BookPrices = {
  bestPrice(side: Side): Ticks | undefined;
  volumeAt(side: Side, price: Ticks): Lots;
  /** Returns the next worse price of a side that has orders, or undefined. */
  priceAfter(side: Side, price: Ticks): Ticks | undefined;
};

/**
 * All orders of a pair. Live and in the demo those of the strategy are among them; in a backtest
 * and in paper trading it is the book of the market without them. Recordings of trades or bars have
 * only made-up best prices. It is always the book now; what it has returned does not change.
 */
export interface MarketBook {
  /**
   * Returns the total volume of a side at one price: 0 without orders there, and while the book is
   * unusable.
   */
  volumeAt(side: Side, price: Ticks): Lots;
  /**
   * Returns the best levels of one side, best first: `count` of them, 1 to 1000, or fewer if the
   * side has no more. None while the book is unusable.
   */
  levels(side: Side, count: number): readonly BookLevel[];
  /**
   * Returns the average price, in ticks, of the best `volume` (above 0) of one side: of `ASK`, what
   * an order that buys as much at once would pay, without fees. It may be a fraction. Undefined if
   * the side has less, or the book is unusable.
   */
  vwap(side: Side, volume: Lots): number | undefined;
  /**
   * Returns `(bids - asks) / (bids + asks)` of the volumes of the best `count` levels of each side,
   * 1 to 1000: from -1, only asks, to 1, only bids. Undefined if there are no orders, or the book
   * is unusable.
   */
  imbalance(count: number): number | undefined;
}

const levelsMax = 1_000;

/** Returns the book of a pair; `prices` returns undefined while it is unusable. */
export function createMarketBook(prices: () => BookPrices | undefined): MarketBook {
  return Object.freeze<MarketBook>({
    volumeAt(side, price) {
      checkSide('market.book.volumeAt', side);
      checkWhole(['market.book.volumeAt', 'price'], price, 'ticks');
      return prices()?.volumeAt(side, price) ?? noLots;
    },
    levels(side, count) {
      checkSide('market.book.levels', side);
      checkCount('market.book.levels', count);
      const levels = Array.from(levelsOf(prices(), side, count), (level) => Object.freeze(level));
      return Object.freeze(levels);
    },
    vwap(side, volume) {
      checkSide('market.book.vwap', side);
      if (!(Number.isSafeInteger(volume) && volume > 0))
        refuseArgument(['market.book.vwap', 'volume'], 'a whole number of lots from 1', volume);
      return averagePriceOf(levelsOf(prices(), side, Infinity), volume);
    },
    imbalance(count) {
      checkCount('market.book.imbalance', count);
      const bids = volumeOf(levelsOf(prices(), 'BID', count));
      const asks = volumeOf(levelsOf(prices(), 'ASK', count));
      return bids + asks === 0 ? undefined : (bids - asks) / (bids + asks);
    },
  });
}

/** Returns the middle between the best prices, in ticks; undefined without one of them. */
export function midOf(top: Top | undefined): number | undefined {
  return top?.bid === undefined || top.ask === undefined ? undefined : (top.bid + top.ask) / 2;
}

/** Returns the mean of the best prices, each with the volume of the other side as its weight. */
export function micropriceOf(top: Top | undefined): number | undefined {
  if (top?.bid === undefined || top.ask === undefined) return undefined;
  const { bid, bidVolume, ask, askVolume } = top;
  // A small difference times a ratio, because a price times a volume may be beyond 2^53.
  return bid + (ask - bid) * (bidVolume / (bidVolume + askVolume));
}

function* levelsOf(
  prices: BookPrices | undefined,
  side: Side,
  count: number,
): Generator<BookLevel> {
  let price = prices?.bestPrice(side);
  for (let found = 0; prices !== undefined && price !== undefined && found < count; found++) {
    yield { price, volume: prices.volumeAt(side, price) };
    price = prices.priceAfter(side, price);
  }
}

function averagePriceOf(levels: Iterable<BookLevel>, volume: Lots): number | undefined {
  let left: number = volume;
  let best: number | undefined;
  let beyondBest = 0;
  for (const level of levels) {
    best ??= level.price;
    const taken = Math.min(left, level.volume);
    // As a share of the volume, because a price times a volume may be beyond 2^53.
    beyondBest += (level.price - best) * (taken / volume);
    left -= taken;
    if (left === 0) return best + beyondBest;
  }
  return undefined;
}

function volumeOf(levels: Iterable<BookLevel>): number {
  let sum = 0;
  for (const { volume } of levels) sum += volume;
  return sum;
}

function checkSide(call: string, side: unknown): void {
  checkChoice([call, 'side'], side, 'BID', 'ASK');
}

function checkCount(call: string, count: unknown): void {
  if (!(Number.isSafeInteger(count) && (count as number) >= 1 && (count as number) <= levelsMax))
    refuseArgument([call, 'count'], `a whole number from 1 to ${levelsMax}`, count);
}
