/** Candles of the mid from samples. */
import { expect, test } from 'vitest';
import { emptyColumns } from '../../../src/page/live/live-columns.ts';
import { candleLengthOf, midCandles } from '../../../src/page/live/mid-candles.ts';

const minute = 60_000;

test('a candle has the first, highest, lowest and last mid of its time, and gaps have none', () => {
  const columns = {
    ...emptyColumns,
    timesMs: [0, 1, 2, 3, 4, 11].map((number) => number * minute),
    bid: [10, 14, 6, 9, null, 20],
    ask: [12, 16, 8, 11, 12, 22],
  };
  expect(midCandles(columns, 5 * minute)).toEqual([
    { startMs: 0, open: 11, high: 15, low: 7, close: 10 },
    { startMs: 10 * minute, open: 21, high: 21, low: 21, close: 21 },
  ]);
});

test('the length of a candle grows with the range', () => {
  const lengths = [60, 600, 60 * 24 * 365].map((minutes) =>
    candleLengthOf({ fromMs: 0, toMs: minutes * minute }),
  );
  expect(lengths).toEqual([minute, 5 * minute, 1_440 * minute]);
});
