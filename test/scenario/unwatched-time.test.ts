/**
 * Time that nobody recorded is left out of every share and ratio of time.
 *
 * Method: the second half of a market's data comes three days later: after a hole in the file, in a
 * second recording, or after the event that says so. The figures must be those of the market
 * without the pause, but for the moment that our quotes need to come back.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { metricsOf } from '../../src/backtest/metrics/run-metrics.ts';
import { runCautionsOf } from '../../src/backtest/report/run-cautions.ts';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { TimeSpans } from '../../src/market/flow/time-spans.ts';
import type { FlowItem } from '../../src/recording/file/flow-item.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { barLines, coarseScenario, tradeLines, writeCoarse } from '../support/coarse-recordings.ts';
import { laterBy, marketOf, randomItems, writeMarket } from '../support/several-markets.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-unwatched-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const strategiesFolder = join(import.meta.dirname, '../../strategies');
const days = 3 * 86_400;
const [seed, actions] = [3, 1_500];

async function figuresOf(text: string) {
  const path = join(folder, 'scenario.yaml');
  writeFileSync(path, text);
  const scenario = loadScenario(path);
  const backtest = await runBacktest({ scenario, dataFolder: folder, strategiesFolder });
  const { recorders, run, result } = backtest;
  const [recorder] = recorders;
  const accountMarket = run.marketRuns[0]?.feed.accountMarket;
  if (recorder === undefined || accountMarket === undefined) throw new Error('there is a market');
  const { coarseData } = result;
  const { time, maker, trader, cautions } = metricsOf(recorder, accountMarket, {
    coarseData,
    cautions: runCautionsOf(backtest, scenario, run.store.sending),
    recorders,
  });
  const gapCautions = cautions.filter((one) => one.startsWith('nobody recorded'));
  const { both } = maker.quotedShare;
  return { time, both, trader, gapCautions, minutes: recorder.minutes.count };
}

/** Returns the lines of a table, those of its second half later. */
function paused(lines: readonly string[], seconds = days): readonly string[] {
  const half = Math.ceil(lines.length / 2);
  return lines.map((line, index) =>
    index < half
      ? line
      : line.replace(/^\d+/u, (at) => String(Number.parseInt(at, 10) + seconds * 1e6)),
  );
}

type Figures = Awaited<ReturnType<typeof figuresOf>>;

function expectLike(found: Figures, whole: Figures): void {
  expect(whole.time.gapSeconds).toBeLessThan(0.2 * whole.time.seconds);
  const missed = found.time.gapSeconds - whole.time.gapSeconds;
  expect(Math.abs(missed - days)).toBeLessThan(60);
  expect(found.time.gaps).toBe(whole.time.gaps + 1);
  expect(Math.abs(found.time.seconds - whole.time.seconds)).toBeLessThan(60);
  expect(Math.abs(found.minutes - whole.minutes)).toBeLessThan(2);
  expect(Math.abs(found.both - whole.both)).toBeLessThan(0.1);
  expect(whole.both).toBeGreaterThan(0.3);
  expect(found.trader.drawdownSeconds).toBeLessThan(whole.time.seconds + 60);
  expect(found.gapCautions).toHaveLength(1);
  expect(found.gapCautions[0]).toMatch(/in \d+ gaps?, the longest from .* to /u);
}

const trades = '{ halfSpread: "0.02", volumeShare: "10%" }';
const candles = '{ halfSpread: "0.02", volumeShare: "10%", interval: "10s" }';

test('a hole in a file of trades', async () => {
  const lines = tradeLines(seed, actions);
  const whole = await writeCoarse(folder, 'trades', lines, { name: 'trades' });
  const hole = await writeCoarse(folder, 'trades', paused(lines), { name: 'trades-hole' });
  expectLike(
    await figuresOf(coarseScenario(hole, trades)),
    await figuresOf(coarseScenario(whole, trades)),
  );
}, 60_000);

test('a hole in a file of candles', async () => {
  const lines = barLines(seed, actions, 10);
  const whole = await writeCoarse(folder, 'candles', lines, { name: 'candles' });
  const hole = await writeCoarse(folder, 'candles', paused(lines), { name: 'candles-hole' });
  expectLike(
    await figuresOf(coarseScenario(hole, candles, 0)),
    await figuresOf(coarseScenario(whole, candles, 0)),
  );
}, 60_000);

test('the time between two recordings of trades, however short', async () => {
  const lines = paused(tradeLines(seed, actions), 7);
  const half = Math.ceil(lines.length / 2);
  const one = await writeCoarse(folder, 'trades', lines.slice(0, half), { name: 'one' });
  const rest = [lines[0] as string, ...lines.slice(half)];
  const two = await writeCoarse(folder, 'trades', rest, { name: 'two' });
  const { time } = await figuresOf(coarseScenario(`[${one}, ${two}]`, trades));
  expect(time.gaps).toBe(1);
  expect(time.gapSeconds).toBeGreaterThanOrEqual(7);
}, 60_000);

test('a gap event in order flow', async () => {
  const market = marketOf('ABC');
  const items = randomItems(21, 2_000);
  const cut = items.findIndex(
    (item, at) => at > 1_000 && 'endsMessage' in item && item.endsMessage,
  );
  const first = items.slice(0, cut + 1);
  const lastMicros = first.at(-1)?.atMicros ?? 0;
  const gap: FlowItem = { kind: 'gap', atMicros: lastMicros };
  const closing: FlowItem = { kind: 'status', atMicros: lastMicros + days * 1e6, status: 'ACTIVE' };
  const rest = laterBy(days * 1e6, items.slice(cut + 1));
  writeMarket(folder, 'flow.mrec', market, items);
  writeMarket(folder, 'flow-gap.mrec', market, [...first, gap, closing, ...rest]);
  const text = (name: string) =>
    coarseScenario(name, '').replace(/market: \{[^}]*\}/u, 'market: { pair: ABCEUR }');
  expectLike(await figuresOf(text('flow-gap.mrec')), await figuresOf(text('flow.mrec')));
}, 60_000);

test('spans of time add up, also while one is open', () => {
  const spans = new TimeSpans();
  spans.add(10, 20);
  spans.add(30, 30);
  spans.begin(40);
  spans.begin(45);
  expect([5, 15, 25, 40, 44].map((at) => spans.before(at))).toEqual([0, 5, 10, 10, 14]);
  spans.end(50);
  expect(spans.before(60)).toBe(20);
  expect(spans.outside(15, 45)).toBe(20);
  expect([spans.at(9), spans.at(20), spans.at(45)]).toEqual([
    undefined,
    { fromMicros: 10, toMicros: 20 },
    { fromMicros: 40, toMicros: 50 },
  ]);
});
