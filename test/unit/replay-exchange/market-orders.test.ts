/** Market orders over recordings of orders, trades and candles. */
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { farthestPrice, lotsFor, sweepOf } from '../../../src/exchange-accounts/market-sweep.ts';
import { Book } from '../../../src/market/book/book.ts';
import {
  barMicros,
  barRow,
  candlesBench,
  tradeRow,
  tradesBench,
} from '../../support/coarse-market.ts';
import { request } from '../../support/replay-market.ts';

const entered = (price: number, volume: number, money?: bigint) => ({
  ...request('BID', price, volume, { timeInForce: 'IOC' }),
  money,
});

test('over trades a buy gets what its money buys at the best price', () => {
  const bench = tradesBench(1_000_000);
  bench.apply(tradeRow(1, { side: 'BID', price: 1_000, volume: 100 }));
  // At 1002 each.
  bench.model.place(entered(1_100, 50, 5_020n), 2);
  expect(bench.fills).toEqual(['bought 5 at 1002 as taker']);
  expect(bench.events.at(-1)).toMatchObject({ kind: 'completed', reason: 'FILLED' });
});

test('over candles it pays the worst price of its bar', () => {
  const bench = candlesBench(100_000);
  bench.apply(barRow(0, [1_000, 1_000, 1_000, 1_000, 100]));
  bench.model.place(entered(1_100, 50, 5_100n), barMicros * 1.5);
  expect(bench.fills).toEqual([]);
  bench.apply(barRow(barMicros, [1_000, 1_015, 1_000, 1_010, 1_000]));
  expect(bench.fills).toEqual(['bought 5 at 1017 as taker']);
});

test('what a market order would trade follows the book, level by level', () => {
  const book = new Book();
  book.create('ASK', 1_000 as Ticks, 10 as Lots);
  book.create('ASK', 1_100 as Ticks, 10 as Lots);
  expect(sweepOf({ side: 'BID', value: 12_200n }, book)).toEqual({
    ...{ volume: 12, bestPrice: 1_000, worstPrice: 1_100 },
  });
  expect(sweepOf({ side: 'BID', value: 22_200n }, book)).toBeUndefined();
  expect(sweepOf({ side: 'ASK', volume: 1 as Lots }, book)).toBeUndefined();
});

test('the farthest price is within ten percent of the best', () => {
  expect([farthestPrice('BID', 1_005 as Ticks), farthestPrice('ASK', 1_005 as Ticks)]).toEqual([
    1_105, 905,
  ]);
  expect(lotsFor(10n ** 30n, 1 as Ticks)).toBe(Number.MAX_SAFE_INTEGER);
});
