/** The candles from before the start of a simulated market. */
import { expect, test } from 'vitest';
import { candleDurations } from '../../../../../src/domain/candle-durations.ts';
import { settingsWithMarkets } from '../../../../../src/venues/luno/simulator/server/known-markets.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  botKey,
  Caller,
  quietSettings,
  second,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

const startMs = startMicros / 1000;
const minuteMs = 60_000;
const triangle = settingsWithMarkets(['XBTZAR', 'ETHXBT', 'ETHZAR']);

type Row = Readonly<Record<'timestamp' | 'open' | 'high' | 'low' | 'close' | 'volume', number>>;

function candles(simulator: Simulator, sinceMs: number, seconds: number, pair = 'XBTZAR'): Row[] {
  const caller = new Caller(simulator, botKey, simulator.timeMicros);
  const query = { pair, since: String(sinceMs), duration: String(seconds) };
  const rows = caller.get('/api/exchange/1/candles', query)['candles'] ?? [];
  return rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, Number(value)])),
  ) as unknown as Row[];
}

function joined(rows: readonly Row[]): Omit<Row, 'timestamp' | 'volume'> {
  return {
    open: rows[0]?.open ?? 0,
    high: Math.max(...rows.map(({ high }) => high)),
    low: Math.min(...rows.map(({ low }) => low)),
    close: rows.at(-1)?.close ?? 0,
  };
}

test('a new market has candles of before, which end at its first price', () => {
  const simulator = simulatorFor(triangle);
  const rows = candles(simulator, startMs - 1000 * minuteMs, 60);
  expect(rows).toHaveLength(1000);
  expect(rows.at(-1)).toMatchObject({ timestamp: startMs - minuteMs, close: 1_000_000 });
  for (const [index, row] of rows.entries()) {
    expect(row.timestamp).toBe(startMs + (index - 1000) * minuteMs);
    expect(row.open).toBe(rows[index - 1]?.close ?? row.open);
    expect(row.low).toBeLessThanOrEqual(Math.min(row.open, row.close));
    expect(row.high).toBeGreaterThanOrEqual(Math.max(row.open, row.close));
    expect(row.volume).toBeGreaterThan(0);
  }
  expect(new Set(rows.map(({ close }) => close)).size).toBeGreaterThan(500);
});

test('the same seed has the same candles, another seed has others', () => {
  const of = (seed: number) => candles(simulatorFor(triangle, { seed }), startMs - 3_600_000, 300);
  expect(of(1)).toEqual(of(1));
  expect(of(1)).not.toEqual(of(2));
});

test('candles of every duration agree, also the one in which the market starts', () => {
  const simulator = simulatorFor(triangle);
  const minutes = candles(simulator, startMs - 900 * minuteMs, 60);
  for (const seconds of candleDurations.filter((one) => one <= 14_400)) {
    const longer = candles(simulator, startMs - 900 * minuteMs, seconds);
    expect(longer.length).toBeGreaterThan(1);
    for (const row of longer) {
      const untilMs = row.timestamp + seconds * 1000;
      const inside = minutes.filter(({ timestamp: at }) => at >= row.timestamp && at < untilMs);
      expect(row).toMatchObject(joined(inside));
    }
  }
});

test('the first trades continue the candle in which the market starts', () => {
  const simulator = simulatorFor(triangle);
  const before = candles(simulator, startMs - 86_400_000, 86_400).at(-1);
  simulator.advance(startMicros + 90 * second);
  const after = candles(simulator, startMs - 86_400_000, 86_400).at(-1);
  const minutes = candles(simulator, startMs - 3 * minuteMs, 60);
  expect(minutes.map(({ timestamp }) => timestamp)).toEqual(
    [-3, -2, -1, 0, 1].map((minute) => startMs + minute * minuteMs),
  );
  expect(after).toMatchObject({ timestamp: before?.timestamp, open: before?.open });
  expect(after?.volume).toBeGreaterThan(before?.volume ?? Number.NaN);
  expect(minutes[3]?.open).toBe(1_000_000);
  expect(simulator.faults()).toEqual([]);
});

test('a minute of the past is as lively as one of the market', () => {
  const simulator = simulatorFor(triangle);
  simulator.advance(startMicros + 1800 * second);
  for (const pair of ['XBTZAR', 'ETHXBT', 'ETHZAR']) {
    const rows = candles(simulator, startMs - 30 * minuteMs, 60, pair);
    const mean = (from: number, of: (row: Row) => number) =>
      rows.slice(from, from + 30).reduce((sum, row) => sum + of(row), 0) / 30;
    for (const of of [
      ({ volume }: Row) => volume,
      ({ high, low }: Row) => high - low,
      ({ open, close }: Row) => Math.abs(open - close),
    ]) {
      const ratio = mean(0, of) / mean(30, of);
      expect(ratio, `${pair} ${of}`).toBeGreaterThan(0.4);
      expect(ratio, `${pair} ${of}`).toBeLessThan(2.5);
    }
  }
});

test('the past has a year of days, and prices that stay within a quarter of the start', () => {
  for (let seed = 0; seed < 5; seed++) {
    const days = candles(simulatorFor(triangle, { seed }), 0, 86_400);
    expect(days.length).toBeGreaterThan(366);
    const { high, low } = joined(days);
    expect(high).toBeLessThan(1_250_000);
    expect(low).toBeGreaterThan(750_000);
    expect(high - low).toBeGreaterThan(30_000);
  }
});

test('the past of the third market of a triangle follows the other two', () => {
  const simulator = simulatorFor(triangle);
  const closes = (pair: string) =>
    candles(simulator, startMs - 1000 * minuteMs, 60, pair).map(({ close }) => close);
  const [xbtzar, ethxbt, ethzar] = [closes('XBTZAR'), closes('ETHXBT'), closes('ETHZAR')];
  const apart = ethzar.map(
    (price, index) => price / ((xbtzar[index] ?? 0) * (ethxbt[index] ?? 0)) - 1,
  );
  expect(Math.max(...apart.map(Math.abs))).toBeLessThan(0.06);
  expect(ethzar.at(-1)).toBe(50_000);
});

test('a restart keeps the past', () => {
  const simulator = simulatorFor(triangle);
  const restored = restoreSimulator(simulator.snapshot());
  const of = (one: Simulator) => candles(one, startMs - 3_600_000, 900);
  expect(of(restored)).toEqual(of(simulator));
});

test('a market without participants has no past', () => {
  expect(candles(simulatorFor(quietSettings), 0, 60)).toEqual([]);
});
