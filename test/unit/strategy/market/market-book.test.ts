/** What a strategy reads from a book: levels, average prices, imbalance; against sums by hand. */
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../../src/domain/market.ts';
import type { BookLevel, Top } from '../../../../src/domain/market-view.ts';
import { lotsOf, ticksOf } from '../../../../src/domain/ticks-and-lots.ts';
import { Book } from '../../../../src/market/book/book.ts';
import { QuotedBook } from '../../../../src/market/book/quoted-book.ts';
import { createSeededRandom } from '../../../../src/runtime/seeded-random.ts';
import {
  createMarketBook,
  micropriceOf,
  midOf,
} from '../../../../src/strategy/market/market-book.ts';

const levels = (...pairs: readonly (readonly [price: number, volume: number])[]): BookLevel[] =>
  pairs.map(([price, volume]) => ({ price: ticksOf(price), volume: lotsOf(volume) }));

function bookOf(sides: Readonly<Record<Side, readonly BookLevel[]>>) {
  const at = (side: Side, price: number) => sides[side].findIndex((one) => one.price === price);
  return createMarketBook(() => ({
    bestPrice: (side) => sides[side][0]?.price,
    volumeAt: (side, price) => sides[side][at(side, price)]?.volume ?? lotsOf(0),
    priceAfter: (side, price) => sides[side][at(side, price) + 1]?.price,
  }));
}

const book = bookOf({
  BID: levels([99, 4], [98, 6], [95, 10]),
  ASK: levels([101, 1], [102, 2], [110, 7]),
});

describe('the book of a strategy', () => {
  it('has the best levels of a side, best first', () => {
    expect(book.levels('ASK', 2)).toEqual(levels([101, 1], [102, 2]));
    expect(book.levels('BID', 9)).toEqual(levels([99, 4], [98, 6], [95, 10]));
    expect(Object.isFrozen(book.levels('BID', 1))).toBe(true);
    expect(Object.isFrozen(book.levels('BID', 1)[0])).toBe(true);
  });

  it('has the average price of a volume, and none of more than there is', () => {
    expect(book.vwap('ASK', lotsOf(1))).toBe(101);
    expect(book.vwap('ASK', lotsOf(3))).toBeCloseTo((101 + 2 * 102) / 3, 12);
    expect(book.vwap('BID', lotsOf(20))).toBeCloseTo((4 * 99 + 6 * 98 + 10 * 95) / 20, 12);
    expect(book.vwap('ASK', lotsOf(10))).toBeCloseTo((101 + 204 + 770) / 10, 12);
    expect(book.vwap('ASK', lotsOf(11))).toBeUndefined();
  });

  it('has the imbalance of the best levels', () => {
    expect(book.imbalance(1)).toBeCloseTo((4 - 1) / 5, 12);
    expect(book.imbalance(2)).toBeCloseTo((10 - 3) / 13, 12);
    expect(bookOf({ BID: levels([9, 1]), ASK: [] }).imbalance(1)).toBe(1);
    expect(bookOf({ BID: [], ASK: levels([9, 1]) }).imbalance(1)).toBe(-1);
    expect(bookOf({ BID: [], ASK: [] }).imbalance(1)).toBeUndefined();
  });

  it('is empty while it is unusable', () => {
    const none = createMarketBook(() => undefined);
    expect(none.levels('BID', 5)).toEqual([]);
    expect(none.vwap('BID', lotsOf(1))).toBeUndefined();
    expect(none.imbalance(3)).toBeUndefined();
    expect(none.volumeAt('BID', ticksOf(99))).toBe(0);
  });

  it('has one made-up bid and ask of trades or bars, and no levels behind them', () => {
    const quoted = new QuotedBook(ticksOf(2));
    quoted.move(ticksOf(100), lotsOf(7));
    const made = createMarketBook(() => quoted);
    expect(made.levels('BID', 5)).toEqual(levels([98, 7]));
    expect(made.levels('ASK', 5)).toEqual(levels([102, 7]));
    expect(made.vwap('ASK', lotsOf(8))).toBeUndefined();
  });

  it('refuses a volume of 0 and a count that is not from 1 to 1000', () => {
    expect(() => book.vwap('ASK', lotsOf(0))).toThrow(
      'market.book.vwap: volume must be a whole number of lots from 1, was 0',
    );
    for (const count of [0, 1_001, 1.5, -1])
      expect(() => book.levels('BID', count)).toThrow(
        `market.book.levels: count must be a whole number from 1 to 1000, was ${count}`,
      );
    expect(() => book.imbalance(0)).toThrow('market.book.imbalance: count');
  });

  it('keeps its digits with prices and volumes near 2^53', () => {
    const large = 2 ** 50;
    const far = bookOf({ BID: [], ASK: levels([large, large], [large + 2, large]) });
    expect(far.vwap('ASK', lotsOf(2 * large))).toBe(large + 1);
  });

  it('agrees with the orders of a random book', () => {
    const random = createSeededRandom(7);
    for (let run = 0; run < 200; run++) {
      const real = new Book();
      const volumes: Record<Side, Map<number, number>> = { BID: new Map(), ASK: new Map() };
      for (let id = 0; id < 40; id++) {
        const side: Side = random.next() < 0.5 ? 'BID' : 'ASK';
        const price =
          side === 'BID'
            ? 100 - Math.floor(random.next() * 30)
            : 101 + Math.floor(random.next() * 30);
        const volume = 1 + Math.floor(random.next() * 50);
        real.create(side, ticksOf(price), lotsOf(volume));
        volumes[side].set(price, (volumes[side].get(price) ?? 0) + volume);
      }
      const seen = createMarketBook(() => real);
      for (const side of ['BID', 'ASK'] as const) {
        const all = [...volumes[side]].sort(([a], [b]) => (side === 'BID' ? b - a : a - b));
        expect(seen.levels(side, 1_000)).toEqual(levels(...all));
        const units = all.flatMap(([price, volume]) => Array<number>(volume).fill(price));
        const taken = 1 + Math.floor(random.next() * units.length);
        const sum = units.slice(0, taken).reduce((a, b) => a + b, 0);
        expect(seen.vwap(side, lotsOf(taken))).toBeCloseTo(sum / taken, 9);
        expect(seen.vwap(side, lotsOf(units.length + 1))).toBeUndefined();
      }
    }
  });
});

describe('mid and microprice', () => {
  const top: Top = {
    ...{ bid: ticksOf(100), bidVolume: lotsOf(30), ask: ticksOf(103), askVolume: lotsOf(10) },
    timeMs: 0,
  };

  it('are between the best prices, the microprice nearer to the smaller volume', () => {
    expect(midOf(top)).toBe(101.5);
    expect(micropriceOf(top)).toBe(102.25);
    expect(micropriceOf({ ...top, bidVolume: lotsOf(10), askVolume: lotsOf(30) })).toBe(100.75);
  });

  it('do not exist without both best prices', () => {
    for (const one of [undefined, { ...top, bid: undefined }, { ...top, ask: undefined }]) {
      expect(midOf(one)).toBeUndefined();
      expect(micropriceOf(one)).toBeUndefined();
    }
  });
});
