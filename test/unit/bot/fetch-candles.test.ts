/** The candles that a bot requests before its strategies run. */
import { expect, test } from 'vitest';
import { fetchCandles } from '../../../src/bot/start/fetch-candles.ts';
import { gatherHistory, shortHistoryTexts } from '../../../src/engine/candle-history.ts';
import type { ResponseOf } from '../../../src/venues/luno/api/operation.ts';
import type { Operations } from '../../../src/venues/luno/api/operations.ts';
import { replayMarket as market } from '../../support/replay-market.ts';
import { wireReader } from '../../support/wire-reader.ts';

const minute = 60_000;
const nowMs = 1_700_000_000_000;
/** The candle of now began here. */
const endMs = Math.floor(nowMs / minute) * minute;

type Asked = { readonly pair: string; readonly since: number; readonly duration: number };
type Row = ResponseOf<Operations['candles']>['candles'][number];

function rowAt(timestamp: number, close = String(100 + ((timestamp / minute) % 50))): Row {
  return { timestamp, open: '100', high: '200', low: '90', close, volume: '0.5' };
}

/** Asks an exchange that has `rows`, at most 1000 a call, earliest first. */
async function fetch(rows: readonly Row[], candles: number) {
  const calls: Asked[] = [];
  const venue = wireReader({
    candles: async (asked) => {
      calls.push(asked);
      const found = rows.filter(({ timestamp }) => timestamp >= asked.since).slice(0, 1_000);
      return { pair: asked.pair, duration: asked.duration, candles: found };
    },
  });
  const plugins = new Map([['mm', { warmUp: { intervalMs: minute, candles } }]]);
  const strategies = [
    { id: 'mm', pairs: [market.pair] },
    { id: 'other', pairs: [market.pair] },
  ];
  const history = await gatherHistory(strategies, plugins, (_, warmUp) =>
    fetchCandles(venue, market, warmUp, nowMs),
  );
  return { history, calls, texts: shortHistoryTexts(history, plugins) };
}

const every = (count: number) =>
  Array.from({ length: count }, (_, index) => rowAt(endMs + (index - count + 1) * minute));

test('several calls are made if one is not enough, and the current candle is left out', async () => {
  const { history, calls, texts } = await fetch(every(3_000), 2_500);
  expect(history).toHaveLength(1);
  const [{ strategyId, pair, candles } = { candles: [] }] = history;
  expect([strategyId, pair]).toEqual(['mm', market.pair]);
  expect(candles.map(({ startMs }) => startMs)).toEqual(
    Array.from({ length: 2_500 }, (_, index) => endMs + (index - 2_500) * minute),
  );
  const unit = 10 ** market.priceScale;
  expect(candles.at(-1)).toEqual({
    ...{ startMs: endMs - minute, intervalMs: minute },
    ...{ open: 100 * unit, high: 200 * unit, low: 90 * unit },
    close: Number(rowAt(endMs - minute).close) * unit,
    volume: 0.5 * 10 ** market.volumeScale,
  });
  expect(calls.map(({ since }) => (endMs - since) / minute)).toEqual([2_500, 1_500, 500]);
  expect(texts).toEqual([]);
});

test('fewer candles are reported, and a gap becomes candles without volume', async () => {
  const rows = [rowAt(endMs - 4 * minute, '110'), rowAt(endMs - minute), rowAt(endMs)];
  const { history, texts } = await fetch(rows, 10);
  const unit = 10 ** market.priceScale;
  expect(history[0]?.candles.map(({ close, volume }) => [close, volume > 0])).toEqual([
    [110 * unit, true],
    [110 * unit, false],
    [110 * unit, false],
    [Number(rowAt(endMs - minute).close) * unit, true],
  ]);
  expect(texts).toEqual([`mm starts on ${market.pair} with 4 of the 10 candles of 1m it asks for`]);
  const none = await fetch([], 3);
  expect(none.history[0]?.candles).toEqual([]);
  expect(none.texts[0]).toMatch(/with 0 of the 3 candles/u);
});

test('a candle of another scale is dropped with all candles before it', async () => {
  const rows = every(6);
  rows[2] = rowAt(endMs - 3 * minute, '100.1234567891');
  const { history } = await fetch(rows, 5);
  expect(history[0]?.candles.map(({ startMs }) => startMs)).toEqual([
    endMs - 2 * minute,
    endMs - minute,
  ]);
});

test('the current candle is ignored, even if it has another scale', async () => {
  const rows = every(6);
  rows[5] = rowAt(endMs, '100.1234567891');
  const { history } = await fetch(rows, 5);
  expect(history[0]?.candles).toHaveLength(5);
});

test.each([
  { length: '2m', intervalMs: 2 * minute, asked: 60 },
  { length: '90m', intervalMs: 90 * minute, asked: 1_800 },
  { length: '7m', intervalMs: 7 * minute, asked: 60 },
  { length: '2h', intervalMs: 120 * minute, asked: 3_600 },
])('candles of $length are put together from those of $asked s', async ({ intervalMs, asked }) => {
  const partMs = asked * 1_000;
  const lastMs = Math.floor(nowMs / partMs) * partMs;
  const rows = Array.from({ length: 40_000_000 / asked }, (_, index) =>
    rowAt(lastMs - index * partMs),
  );
  rows.reverse();
  const durations: number[] = [];
  const venue = wireReader({
    candles: async ({ pair, since, duration }) => {
      durations.push(duration);
      const found = rows.filter(({ timestamp }) => timestamp >= since).slice(0, 1_000);
      return { pair, duration, candles: found };
    },
  });
  const candles = await fetchCandles(venue, market, { intervalMs, candles: 3 }, nowMs);
  expect(new Set(durations)).toEqual(new Set([asked]));
  const endOfLast = Math.floor(nowMs / intervalMs) * intervalMs;
  expect(candles.map(({ startMs }) => startMs)).toEqual(
    [3, 2, 1].map((back) => endOfLast - back * intervalMs),
  );
  const unit = 10 ** market.priceScale;
  for (const { startMs, close, volume } of candles) {
    const lastPart = rowAt(startMs + intervalMs - partMs);
    expect(close).toBe(Number(lastPart.close) * unit);
    expect(volume).toBe((intervalMs / partMs) * 0.5 * 10 ** market.volumeScale);
  }
});

test('a repeated answer ends the requests', async () => {
  const stale = every(3_000).slice(0, 1_000);
  let calls = 0;
  const venue = wireReader({
    candles: async () => {
      calls++;
      return { pair: market.pair, duration: 60, candles: stale };
    },
  });
  await fetchCandles(venue, market, { intervalMs: minute, candles: 2_500 }, nowMs);
  expect(calls).toBeLessThanOrEqual(2);
});
