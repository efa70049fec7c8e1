/** Trades and bars as order flow: the contents and times of messages, and refused rows. */
import { expect, test } from 'vitest';
import { SyntheticFlow } from '../../../src/backtest/coarse/synthetic-flow.ts';
import { DecodeError } from '../../../src/domain/errors.ts';
import { rowKind } from '../../../src/market/flow/flow-block.ts';
import type { BuiltRow } from '../../../src/recording/file/flow-block-builder.ts';
import { barMicros, barRow, blockOf, tradeRow } from '../../support/coarse-market.ts';
import { rowsOf } from '../../support/compiled-flow.ts';

const { trade, create, delete: gone, status, candle } = rowKind;

function flow(): SyntheticFlow {
  return new SyntheticFlow({ halfSpread: 2, intervalMicros: barMicros, path: 'f' });
}

function syntheticRowsOf(rows: readonly BuiltRow[], by = flow()) {
  return rowsOf(by.blockOf(blockOf(rows)));
}

/** The trades among rows: price, volume, and the taker's side. */
function tradesOf(rows: ReturnType<typeof syntheticRowsOf>) {
  return rows
    .filter(({ kind }) => kind === trade)
    .map(({ price, volume, isAsk }) => [price, volume, isAsk ? 'buy' : 'sell']);
}

test('a trade becomes one message at its time, with the synthetic prices around it', () => {
  const rows = syntheticRowsOf([
    tradeRow(1_000, { side: 'ASK', price: 500, volume: 25 }),
    tradeRow(3_000, { side: 'BID', price: 501, volume: 9 }),
  ]);
  expect(
    rows.map(({ kind, slot, price, volume, atMicros, endsMessage }) => [
      ...[kind, slot, price, volume, atMicros, endsMessage],
    ]),
  ).toEqual([
    [trade, 0, 500, 25, 1_000, false],
    [create, 1, 498, 25, 1_000, false],
    [create, 2, 502, 25, 1_000, true],
    [trade, 0, 501, 9, 3_000, false],
    [gone, 1, 0, 0, 3_000, false],
    [gone, 2, 0, 0, 3_000, false],
    [create, 1, 499, 9, 3_000, false],
    [create, 2, 503, 9, 3_000, true],
  ]);
  expect(rows.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

test('a trade that does not change the synthetic prices is alone in its message', () => {
  const one = { side: 'BID', price: 500, volume: 20 } as const;
  const rows = syntheticRowsOf([tradeRow(1, one), tradeRow(2, one), tradeRow(3, one)]);
  expect(rows.slice(3).map(({ kind, endsMessage }) => [kind, endsMessage])).toEqual([
    [trade, true],
    [trade, true],
  ]);
});

test('blocks continue each other', () => {
  const by = flow();
  syntheticRowsOf([tradeRow(1, { side: 'BID', price: 500, volume: 20 })], by);
  const next = syntheticRowsOf([tradeRow(2, { side: 'BID', price: 500, volume: 20 })], by);
  expect(next.map(({ kind, sequence }) => [kind, sequence])).toEqual([[trade, 4]]);
  expect(by.recordedRows).toBe(2);
});

test('a bar becomes a message in its last microsecond, its extremes by its direction', () => {
  const rows = syntheticRowsOf([
    barRow(0, [100, 110, 90, 105, 43]),
    barRow(barMicros, [105, 107, 99, 101, 40]),
  ]);
  const times = new Set(rows.map(({ atMicros }) => atMicros));
  expect([...times]).toEqual([barMicros - 1, 2 * barMicros - 1]);
  expect(tradesOf(rows)).toEqual([
    [100, 13, 'buy'],
    [90, 10, 'sell'],
    [110, 10, 'buy'],
    [105, 10, 'sell'],
    [105, 10, 'buy'],
    [107, 10, 'buy'],
    [99, 10, 'sell'],
    [101, 10, 'buy'],
  ]);
  expect(rows.filter(({ endsMessage }) => endsMessage).length).toBe(2);
});

test('equal consecutive prices are one trade, and the total volume is that of the bar', () => {
  expect(tradesOf(syntheticRowsOf([barRow(0, [100, 100, 100, 100, 7])]))).toEqual([
    [100, 7, 'buy'],
  ]);
  expect(tradesOf(syntheticRowsOf([barRow(0, [100, 110, 100, 110, 7])]))).toEqual([
    [100, 4, 'buy'],
    [110, 3, 'buy'],
  ]);
});

test.each([
  [1, [105]],
  [2, [100, 105]],
  [3, [100, 90, 105]],
  [4, [100, 90, 110, 105]],
])('a bar of %i lots becomes as many trades of one lot, the close last', (volume, prices) => {
  const trades = tradesOf(syntheticRowsOf([barRow(0, [100, 110, 90, 105, volume])]));
  expect(trades.map(([price, lots]) => [price, lots])).toEqual(prices.map((price) => [price, 1]));
});

test('prices that are consecutive only in a bar of few lots are also one trade', () => {
  const rows = syntheticRowsOf([barRow(0, [100, 110, 90, 100, 2])]);
  expect(tradesOf(rows)).toEqual([[100, 2, 'buy']]);
});

test('for a bar of few lots the models get all four prices, otherwise only its trades', () => {
  const kinds = (volume: number) =>
    syntheticRowsOf([barRow(0, [100, 110, 90, 105, volume])]).map(({ kind }) => kind);
  expect(kinds(1)).toEqual([candle, trade, create, create]);
  expect(kinds(4)).toEqual([trade, trade, trade, trade, create, create]);
});

test('a bar without volume has no trades, but has a message', () => {
  const rows = syntheticRowsOf([
    barRow(0, [100, 100, 100, 100, 0]),
    barRow(barMicros, [100, 100, 100, 100, 0]),
  ]);
  expect(rows.map(({ kind, atMicros }) => [kind, atMicros])).toEqual([
    [create, barMicros - 1],
    [create, barMicros - 1],
    [status, 2 * barMicros - 1],
  ]);
});

test('a row that is neither trade nor candle is refused by number', () => {
  const row = { kind: gone, slot: 3, isAsk: false, endsMessage: true, atMicros: 5 };
  expect(() => syntheticRowsOf([row])).toThrow(DecodeError);
  expect(() => syntheticRowsOf([row])).toThrow('f: row 1 has kind 1');
});
