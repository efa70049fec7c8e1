/** Candles from trades, closed by time. */
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { CandleSeries } from '../../../src/market/candles.ts';

const add = (candles: CandleSeries, price: number, volume: number, timeMs: number) =>
  candles.add(price as Ticks, volume as Lots, timeMs);

test('a candle holds the trades from its start to before its end, exactly', () => {
  const candles = new CandleSeries(60_000);
  add(candles, 100, 5, 60_000);
  add(candles, 120, 1, 80_000);
  add(candles, 90, 2, 90_000);
  add(candles, 110, 3, 119_999);
  expect(candles.advance(119_999)).toEqual([]);
  expect(add(candles, 500, 1, 120_000)).toEqual([
    {
      startMs: 60_000,
      intervalMs: 60_000,
      open: 100,
      high: 120,
      low: 90,
      close: 110,
      volume: 11,
      value: 1_130n,
      trades: 4,
      isComplete: false,
    },
  ]);
});

test('quiet candles close by time at the last price, and the next trade opens at its own', () => {
  const candles = new CandleSeries(60_000);
  add(candles, 100, 5, 10_000);
  const closed = candles.advance(185_000);
  expect(closed.map(({ startMs, open, close, volume }) => [startMs, open, close, volume])).toEqual([
    [0, 100, 100, 5],
    [60_000, 100, 100, 0],
    [120_000, 100, 100, 0],
  ]);
  add(candles, 130, 1, 190_000);
  expect(candles.advance(240_000)).toMatchObject([{ open: 130, low: 130, high: 130, volume: 1 }]);
});

test('before the first trade no candle closes', () => {
  expect(new CandleSeries(1_000).advance(1_000_000)).toEqual([]);
});

test('after a very long silence the quiet candles are left out', () => {
  const candles = new CandleSeries(1_000, 10);
  add(candles, 100, 5, 0);
  expect(candles.advance(1_000_000)).toHaveLength(1);
  add(candles, 100, 5, 1_000_500);
  expect(candles.advance(1_001_000)).toMatchObject([{ startMs: 1_000_000 }]);
});

test('an interruption marks the open candle and those that begin before the resumption', () => {
  const candles = new CandleSeries(1_000);
  add(candles, 100, 1, 0);
  const first = candles.advance(1_000);
  candles.advance(2_500);
  candles.interrupt();
  const interrupted = candles.advance(4_500);
  candles.resume();
  const after = candles.advance(6_000);
  expect(first.map(({ isComplete }) => isComplete)).toEqual([false]);
  expect(interrupted.map(({ isComplete }) => isComplete)).toEqual([false, false]);
  expect(after.map(({ isComplete }) => isComplete)).toEqual([false, true]);
});

test('closed candles are frozen', () => {
  const candles = new CandleSeries(1_000);
  add(candles, 100, 1, 0);
  expect(Object.isFrozen(candles.advance(1_000)[0])).toBe(true);
});
