/** Trades and bars at a feed: the trades of a bar, and the synthetic book around the last price. */
import { expect, test } from 'vitest';
import { DecodeError } from '../../../src/domain/errors.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { QuotedBook } from '../../../src/market/book/quoted-book.ts';
import { MarketFeed } from '../../../src/market/feed/market-feed.ts';
import { rowKind } from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import type { BuiltRow } from '../../../src/recording/file/flow-block-builder.ts';
import {
  type BarValues,
  barBlocks,
  barMicros,
  barRow,
  blockOf,
  halfSpread,
  tradeBlocks,
  tradeRow,
} from '../../support/coarse-market.ts';

const resting = { bids: 0, status: 0, ...emptyColumns() };

function emptyColumns() {
  const none = new Float64Array(0);
  return { slots: new Uint32Array(0), prices: none, volumes: none };
}

/** Plays rows into a feed. */
function played(rows: readonly BuiltRow[], blocks = barBlocks()) {
  const feed = new MarketFeed({ priceScale: 2, volumeScale: 2 });
  const kind = rows[0]?.kind === rowKind.candle ? 'bars' : 'trades';
  feed.startFlow(resting, 0, 0, { kind, halfSpread: halfSpread as Ticks });
  const cursor = new FlowCursor();
  cursor.load(blocks.played(blockOf(rows)));
  return {
    feed,
    results: rows.map(() => {
      const result = feed.applyFlow(cursor, cursor.atMicros);
      return { result, atMicros: cursor.atMicros };
    }),
  };
}

/** The trades of bars: price, volume, and the taker's side. */
function tradesOf(...bars: readonly BarValues[]) {
  const rows = bars.map((bar, index) => barRow(index * barMicros, bar));
  return played(rows).results.flatMap(({ result }) =>
    result.kind === 'applied'
      ? result.trades.map(({ price, volume, side }) => [price, volume, side])
      : [],
  );
}

test('a trade moves the synthetic prices, with its own volume', () => {
  const { feed, results } = played(
    [
      tradeRow(1_000, { side: 'BID', price: 500, volume: 25 }),
      tradeRow(3_000, { side: 'ASK', price: 501, volume: 9 }),
      tradeRow(4_000, { side: 'ASK', price: 501, volume: 9 }),
    ],
    tradeBlocks(),
  );
  expect(results.map(({ result }) => result)).toMatchObject([
    { topChange: 'price', trades: [{ price: 500, volume: 25, side: 'BID', sequence: '1' }] },
    { topChange: 'price', trades: [{ price: 501, volume: 9, side: 'ASK', sequence: '2' }] },
    { topChange: 'none', trades: [{ sequence: '3' }] },
  ]);
  expect(feed.top).toMatchObject({ bid: 499, bidVolume: 9, ask: 503, askVolume: 9 });
  expect(feed.recentTrades(4_000)?.median(4_000)).toBe(501);
});

test('a bar is played in its last microsecond, its extremes by its direction', () => {
  const bars: BarValues[] = [
    [100, 110, 90, 105, 43],
    [105, 107, 99, 101, 40],
  ];
  const { results } = played(bars.map((bar, index) => barRow(index * barMicros, bar)));
  expect(results.map(({ atMicros }) => atMicros)).toEqual([barMicros - 1, 2 * barMicros - 1]);
  expect(tradesOf(...bars)).toEqual([
    [100, 13, 'BID'],
    [90, 10, 'ASK'],
    [110, 10, 'BID'],
    [105, 10, 'ASK'],
    [105, 10, 'BID'],
    [107, 10, 'BID'],
    [99, 10, 'ASK'],
    [101, 10, 'BID'],
  ]);
});

test('equal consecutive prices are one trade, and the total volume is that of the bar', () => {
  expect(tradesOf([100, 100, 100, 100, 7])).toEqual([[100, 7, 'BID']]);
  expect(tradesOf([100, 110, 100, 110, 7])).toEqual([
    [100, 4, 'BID'],
    [110, 3, 'BID'],
  ]);
});

test.each([
  [1, [105]],
  [2, [100, 105]],
  [3, [100, 90, 105]],
  [4, [100, 90, 110, 105]],
])('a bar of %i lots becomes as many trades of one lot, the close last', (volume, prices) => {
  const trades = tradesOf([100, 110, 90, 105, volume]);
  expect(trades.map(([price, lots]) => [price, lots])).toEqual(prices.map((price) => [price, 1]));
});

test('prices that are consecutive only in a bar of few lots are also one trade', () => {
  expect(tradesOf([100, 110, 90, 100, 2])).toEqual([[100, 2, 'BID']]);
});

test('a bar without volume has no trades and moves the synthetic prices to its close', () => {
  const { feed, results } = played([
    barRow(0, [100, 100, 100, 100, 0]),
    barRow(barMicros, [100, 100, 100, 100, 0]),
  ]);
  expect(results.map(({ result }) => result)).toMatchObject([
    { trades: [], topChange: 'price' },
    { trades: [], topChange: 'none' },
  ]);
  expect(feed.top).toMatchObject({ bid: 98, bidVolume: 1, ask: 102, askVolume: 1 });
});

test('the synthetic book has one order on each side, and no bid at or below zero', () => {
  const book = new QuotedBook(halfSpread as Ticks);
  expect([book.bestPrice('BID'), book.bestVolume('ASK'), book.lastPrice]).toEqual([
    undefined,
    0,
    undefined,
  ]);
  book.move(3 as Ticks, 7 as Lots);
  expect(book.volumeAt('BID', 1 as Ticks)).toBe(7);
  expect(book.volumeAt('BID', 5 as Ticks)).toBe(0);
  expect(book.priceAfter('ASK', 4 as Ticks)).toBe(5);
  expect(book.priceAfter('ASK', 5 as Ticks)).toBeUndefined();
  expect(book.priceAfter('BID', 2 as Ticks)).toBe(1);
  const changes = book.topChanges;
  book.move(3 as Ticks, 7 as Lots);
  expect(book.topChanges).toBe(changes);
  book.move(2 as Ticks, 7 as Lots);
  expect(book.bestPrice('BID')).toBeUndefined();
  expect(book.bestVolume('BID')).toBe(0);
  expect(() => book.move((2 ** 53) as Ticks, 7 as Lots)).toThrow('price must be');
  expect(book.bestPrice('ASK')).toBe(4);
});

test('a row of another kind is refused by number', () => {
  const row = { kind: rowKind.delete, slot: 3, isAsk: false, endsMessage: true, atMicros: 5 };
  expect(() => barBlocks().played(blockOf([row]))).toThrow(DecodeError);
  expect(() => tradeBlocks().played(blockOf([row]))).toThrow('row 1 has kind 1');
});
