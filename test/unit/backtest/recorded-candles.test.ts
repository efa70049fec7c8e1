/** Candles before the start of a backtest equal those of the recorded trades, at any start. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { recordedCandles } from '../../../src/backtest/run/recorded-candles.ts';
import type { Candle } from '../../../src/domain/market-view.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { rowKind } from '../../../src/market/flow/flow-block.ts';
import { FlowCursor } from '../../../src/market/flow/flow-cursor.ts';
import type { FlowItem } from '../../../src/recording/file/flow-item.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { writeItems } from '../../support/compiled-flow.ts';

const minute = 60_000;
const path = join(import.meta.dirname, '../../../backtests/first/recording.mrec');
const recording = new Recording(path);
afterAll(() => recording.close());

/** High, low, last price and volume of each minute with trades, from the first row on. */
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
      blocks: undefined,
    },
  );

test('as many as requested, each with the prices of its trades', async () => {
  const minutes = await minutesOf();
  const end = firstMinute + 40 * minute;
  const found = await before(end + 12_345, 15);
  expect(found.map((one) => one.startMs)).toEqual(
    Array.from({ length: 15 }, (_, index) => end + (index - 15) * minute),
  );
  let traded = 0;
  for (const { startMs: at, high, low, close, volume } of found) {
    const expected = minutes.get(at);
    expect([high, low, close, volume]).toEqual(expected ?? [close, close, close, 0]);
    if (expected !== undefined) traded++;
  }
  expect(traded).toBeGreaterThan(10);
});

test('longer candles are made of the same trades, and none is made before the recording', async () => {
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

test('trades before a gap are not used: trades within the gap are unknown', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'millrace-candles-'));
  const file = join(folder, 'gap.mrec');
  const bid = { id: 'a', side: 'BID', price: 100 as Ticks, volume: 90 as Lots } as const;
  const at = (minutes: number): number => (firstMinute + minutes * minute) * 1_000;
  const trade = (minutes: number): FlowItem =>
    ({
      ...{ kind: 'trade', makerId: 'a', makerSide: 'BID', takerId: 't', endsMessage: true },
      ...{ atMicros: at(minutes), volume: 1 as Lots },
    }) as FlowItem;
  const snapshot = { kind: 'snapshot', status: 'ACTIVE', orders: [bid] } as const;
  const gap = { kind: 'gap', atMicros: at(2) } as const;
  writeItems(file, [
    { ...snapshot, atMicros: at(0) },
    ...[0.1, 1].map(trade),
    gap,
    { ...snapshot, atMicros: at(3.5) },
    ...[4.5, 6.5].map(trade),
  ]);
  const gapped = new Recording(file);
  const asked = { intervalMs: minute, candles: 7 };
  const range = { endMicros: at(7), blocks: undefined };
  const found = await recordedCandles([gapped], asked, range);
  gapped.close();
  rmSync(folder, { recursive: true });
  expect(found.map((one) => [(one.startMs - firstMinute) / minute, one.volume])).toEqual([
    [4, 1],
    [5, 0],
    [6, 1],
  ]);
});
