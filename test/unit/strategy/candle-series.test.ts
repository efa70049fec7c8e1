/** Candles before a run: complete and consecutive, built from trades or from candles. */
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { CandleSeries } from '../../../src/strategy/candle-series.ts';

const minute = 60_000;

function trade(startMs: number, price: number, volume: number) {
  const at = price as Ticks;
  return { startMs, open: at, high: at, low: at, close: at, volume: volume as Lots };
}

function candle(startMs: number, prices: readonly number[], volume: number) {
  const [open, high, low, close] = prices;
  return { startMs, intervalMs: minute, open, high, low, close, volume };
}

test('trades make candles, and a period without trades gets a quiet candle at the last price', () => {
  const series = new CandleSeries(minute, 0);
  for (const one of [trade(0, 10, 1), trade(30_000, 12, 2), trade(59_999, 9, 3)]) series.add(one);
  series.add(trade(3 * minute + 1, 11, 4));
  expect(series.until(5 * minute)).toEqual([
    candle(0, [10, 12, 9, 9], 6),
    candle(minute, [9, 9, 9, 9], 0),
    candle(2 * minute, [9, 9, 9, 9], 0),
    candle(3 * minute, [11, 11, 11, 11], 4),
    candle(4 * minute, [11, 11, 11, 11], 0),
  ]);
});

test('a period that is not known from its start is left out, but its last price counts', () => {
  const series = new CandleSeries(minute, 1);
  series.add(trade(30_000, 10, 1));
  series.add(trade(2 * minute, 12, 1));
  expect(series.until(3 * minute)).toEqual([
    candle(minute, [10, 10, 10, 10], 0),
    candle(2 * minute, [12, 12, 12, 12], 1),
  ]);
  expect(new CandleSeries(minute, 0).until(minute)).toEqual([]);
});

test('shorter candles make longer ones', () => {
  const series = new CandleSeries(5 * minute, 0);
  series.add({ ...trade(0, 10, 1), high: 15 as Ticks, low: 9 as Ticks, close: 11 as Ticks });
  series.add({ ...trade(4 * minute, 11, 2), high: 12 as Ticks, low: 8 as Ticks });
  expect(series.until(5 * minute)).toEqual([
    { ...candle(0, [10, 15, 8, 11], 3), intervalMs: 5 * minute },
  ]);
});

test('leaves out candles before an unknown time and after the end', () => {
  const series = new CandleSeries(minute, 0);
  series.add(trade(0, 10, 1));
  series.restart(minute + 1);
  series.add(trade(minute + 2, 11, 1));
  series.add(trade(2 * minute, 12, 1));
  series.add(trade(3 * minute, 13, 1));
  expect(series.until(3 * minute)).toEqual([candle(2 * minute, [12, 12, 12, 12], 1)]);
});
