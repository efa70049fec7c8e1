/** Trades and bars as order flow: what a message holds, when it is told, and what is refused. */
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

function told(rows: readonly BuiltRow[], by = flow()) {
  return rowsOf(by.blockOf(blockOf(rows)));
}

/** The trades in rows: price, volume, and the taker's side. */
function printsOf(rows: ReturnType<typeof told>) {
  return rows
    .filter(({ kind }) => kind === trade)
    .map(({ price, volume, isAsk }) => [price, volume, isAsk ? 'buy' : 'sell']);
}

test('a trade is told when it was, with the made-up prices around it, as one message', () => {
  const rows = told([
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

test('a trade that changes nothing of that is told alone', () => {
  const one = { side: 'BID', price: 500, volume: 20 } as const;
  const rows = told([tradeRow(1, one), tradeRow(2, one), tradeRow(3, one)]);
  expect(rows.slice(3).map(({ kind, endsMessage }) => [kind, endsMessage])).toEqual([
    [trade, true],
    [trade, true],
  ]);
});

test('blocks follow on each other', () => {
  const by = flow();
  told([tradeRow(1, { side: 'BID', price: 500, volume: 20 })], by);
  const next = told([tradeRow(2, { side: 'BID', price: 500, volume: 20 })], by);
  expect(next.map(({ kind, sequence }) => [kind, sequence])).toEqual([[trade, 4]]);
  expect(by.recordedRows).toBe(2);
});

test('a bar is told in its last microsecond, its extremes in the order of its way', () => {
  const rows = told([
    barRow(0, [100, 110, 90, 105, 43]),
    barRow(barMicros, [105, 107, 99, 101, 40]),
  ]);
  const times = new Set(rows.map(({ atMicros }) => atMicros));
  expect([...times]).toEqual([barMicros - 1, 2 * barMicros - 1]);
  expect(printsOf(rows)).toEqual([
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

test('equal neighbors are one trade, and the volume is never more or less than the bar', () => {
  expect(printsOf(told([barRow(0, [100, 100, 100, 100, 7])]))).toEqual([[100, 7, 'buy']]);
  expect(printsOf(told([barRow(0, [100, 110, 100, 110, 7])]))).toEqual([
    [100, 4, 'buy'],
    [110, 3, 'buy'],
  ]);
});

test.each([
  [1, [105]],
  [2, [100, 105]],
  [3, [100, 90, 105]],
  [4, [100, 90, 110, 105]],
])(
  'of a bar of %i lots as many prices are told, of a lot each, the close last',
  (volume, prices) => {
    const prints = printsOf(told([barRow(0, [100, 110, 90, 105, volume])]));
    expect(prints.map(([price, lots]) => [price, lots])).toEqual(prices.map((price) => [price, 1]));
  },
);

test('prices that are neighbors only in a bar of few lots are one trade, too', () => {
  const rows = told([barRow(0, [100, 110, 90, 100, 2])]);
  expect(printsOf(rows)).toEqual([[100, 2, 'buy']]);
});

test('of a bar of few lots the models hear all four prices, of any other none but its trades', () => {
  const kinds = (volume: number) =>
    told([barRow(0, [100, 110, 90, 105, volume])]).map(({ kind }) => kind);
  expect(kinds(1)).toEqual([candle, trade, create, create]);
  expect(kinds(4)).toEqual([trade, trade, trade, trade, create, create]);
});

test('a bar of no volume has no trades, and is told all the same', () => {
  const rows = told([
    barRow(0, [100, 100, 100, 100, 0]),
    barRow(barMicros, [100, 100, 100, 100, 0]),
  ]);
  expect(rows.map(({ kind, atMicros }) => [kind, atMicros])).toEqual([
    [create, barMicros - 1],
    [create, barMicros - 1],
    [status, 2 * barMicros - 1],
  ]);
});

test('what is neither trade nor candle is refused with its row', () => {
  const row = { kind: gone, slot: 3, isAsk: false, endsMessage: true, atMicros: 5 };
  expect(() => told([row])).toThrow(DecodeError);
  expect(() => told([row])).toThrow('f: row 1 is of kind 1');
});
