/** The candles before a backtest are those of its recording's trades, wherever it is entered. */
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordedCandles } from '../../../src/backtest/recorded-candles.ts';
import type { Candle } from '../../../src/domain/market-view.ts';
import { rowKind } from '../../../src/market/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow-cursor.ts';
import { Recording } from '../../../src/recording/recording.ts';

const minute = 60_000;
const path = join(import.meta.dirname, '../../../backtests/first/recording.mrec');
const recording = new Recording(path);
afterAll(() => recording.close());

/** High, low, last price and volume of each minute that had trades, from the first row on. */
async function minutesOf() {
  const minutes = new Map<number, [high: number, low: number, last: number, volume: number]>();
  const prices = new Map<number, number>();
  const { resting, blocks } = await recording.part();
  for (const [index, slot] of resting.slots.entries())
    prices.set(slot, resting.prices[index] as number);
  const row = new FlowCursor();
  for await (const block of blocks) {
    row.load(block);
    while (row.next()) {
      if (row.kind === rowKind.create) prices.set(row.slot, row.price);
      if (row.kind !== rowKind.trade) continue;
      const price = prices.get(row.slot) as number;
      const at = Math.floor(row.atMicros / 1_000 / minute) * minute;
      const [high, low, , volume] = minutes.get(at) ?? [price, price, price, 0];
      minutes.set(at, [Math.max(high, price), Math.min(low, price), price, volume + row.volume]);
    }
  }
  return minutes;
}

const startMs = recording.index.blocks[0]?.firstMicros as number;
const firstMinute = Math.ceil(startMs / 1_000 / minute) * minute;
const before = (endMs: number, candles: number, intervalMs = minute) =>
  recordedCandles(
    [recording],
    { intervalMs, candles },
    {
      endMicros: endMs * 1_000,
      barMicros: undefined,
    },
  );

test('as many as asked for, each as its trades were', async () => {
  const minutes = await minutesOf();
  const end = firstMinute + 40 * minute;
  const found = await before(end + 12_345, 15);
  expect(found.map((one) => one.startMs)).toEqual(
    Array.from({ length: 15 }, (_, index) => end + (index - 15) * minute),
  );
  let traded = 0;
  for (const { startMs: at, high, low, close, volume } of found) {
    const told = minutes.get(at);
    expect([high, low, close, volume]).toEqual(told ?? [close, close, close, 0]);
    if (told !== undefined) traded++;
  }
  expect(traded).toBeGreaterThan(10);
});

test('longer ones are made of the same, and what was before the recording is not made up', async () => {
  const end = firstMinute + 40 * minute;
  const fiveEnd = Math.floor(end / (5 * minute)) * 5 * minute;
  const [five] = await before(fiveEnd, 1, 5 * minute);
  const ones = await before(fiveEnd, 5);
  const most = (pick: (one: Candle) => number) => Math.max(...ones.map(pick));
  expect(five).toMatchObject({
    open: ones[0]?.open,
    close: ones.at(-1)?.close,
    high: most(({ high }) => high),
    low: -most(({ low }) => -low),
    volume: ones.reduce((sum, { volume }) => sum + volume, 0),
  });
  const all = await before(firstMinute + 3 * minute, 200);
  expect(all.map((one) => one.startMs)).toEqual([0, 1, 2].map((at) => firstMinute + at * minute));
  expect(await before(startMs / 1_000 - minute, 5)).toEqual([]);
});
