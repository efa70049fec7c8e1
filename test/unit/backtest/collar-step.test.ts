/**
 * A backtest that applies many messages at once cancels the same orders outside their collar, at
 * the same times, as one that processes each message on its own.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import { Engine } from '../../../src/engine/engine.ts';
import { OrderStates } from '../../../src/execution/orders/order-states.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { scenarioText, smallSet, writeScenario } from '../../support/backtest-scenario.ts';
import {
  barLines,
  coarseScenario,
  tradeLines,
  writeCoarse,
} from '../../support/coarse-recordings.ts';
import { writeRecordedSet } from '../../support/recorded-set.ts';
import { onlyMarketOf, overRecording } from '../../support/scenario-market.ts';

type Scenario = Parameters<typeof runBacktest>[0]['scenario'];

const strategiesFolder = join(import.meta.dirname, '../../prove/strategies');
let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-collar-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(() => {
  vi.restoreAllMocks();
});

/** Orders rest for `refresh`, a few ticks of 0.01 % from the mid; requests take 20 ms each way. */
function quoting(text: string, collar: string, refresh: string): string {
  return text
    .replace(/request: "\d+us", answer: "\d+us"/u, 'request: "20ms", answer: "20ms"')
    .replace('simple-mm', 'timed-quoter')
    .replace(/parameters: .*/u, `parameters: { size: "10", refresh: "${refresh}" }`)
    .replace('collar: "5%"', `collar: "${collar}"`);
}

/** Runs a backtest; also returns when which order was cancelled for its price, and why. */
async function run(scenario: Scenario) {
  const cancels: unknown[] = [];
  const cancel = OrderStates.prototype.cancel;
  vi.spyOn(OrderStates.prototype, 'cancel').mockImplementation(function (
    this: OrderStates,
    order,
    reason,
  ) {
    if (reason.startsWith('at-trade check: its price'))
      cancels.push([this.context.nowMs, order.clientOrderId, reason]);
    cancel.call(this, order, reason);
  });
  const fastForwards = vi.spyOn(Engine.prototype, 'fastForward');
  const records: unknown[] = [];
  const done = await runBacktest({
    ...{ scenario, dataFolder: folder, strategiesFolder },
    onRecords: (some, atMicros) => records.push(...some.map((record) => [atMicros, record])),
  });
  const passes = fastForwards.mock.calls.length;
  vi.restoreAllMocks();
  return { ...done, cancels, records, passes };
}

/** Expects the same with and without the fast path; returns the run with it. */
async function expectSame(scenario: Scenario) {
  const late = await run(scenario);
  vi.spyOn(Engine.prototype, 'isQuiet').mockReturnValue(false);
  const atOnce = await run(scenario);
  expect(atOnce.passes).toBe(0);
  expect(late.cancels).toEqual(atOnce.cancels);
  expect(late.records).toEqual(atOnce.records);
  expect(late.result).toEqual(atOnce.result);
  expect(late.hash).toBe(atOnce.hash);
  expect(late.recorders[0]?.samples).toEqual(atOnce.recorders[0]?.samples);
  // All orders have ended.
  expect(late.run.engine.orders.tracker.liveCount).toBe(0);
  return late;
}

test.each([
  ['0.08%', 1_000],
  ['0.08%', 700_000],
  ['0.0512345%', 1_900_000],
])(
  'order flow with a collar of %s reaches us after %i us',
  async (collar, latencyUs) => {
    writeRecordedSet(folder, { name: smallSet, seed: 11, actions: 6_000 });
    const text = quoting(scenarioText(latencyUs), collar, '10s');
    const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
    const { base, counter, priceScale, volumeScale } = onlyMarketOf(scenario).market;
    const path = join(folder, smallSet);
    const scales = { base, counter, priceScale, volumeScale };
    const source = await openImport({ format: 'ndjson', path, ...scales });
    await writeRecording(source, join(folder, 'small.mrec'), { blockRows: 100 });
    const late = await expectSame(overRecording({ ...scenario, folder }, 'small.mrec'));
    expect(late.cancels.length).toBeGreaterThan(40);
    expect(late.passes).toBeGreaterThan(100);
    // Its blocks have other sizes.
    const fromJson = await run(scenario);
    expect(late.cancels).toEqual(fromJson.cancels);
    expect(late.hash).toBe(fromJson.hash);
  },
  60_000,
);

test.each([
  ['trades', '0.08%', 1_000],
  ['trades', '0.06%', 1_900_000],
  ['candles', '0.1%', 0],
  ['candles', '0.1%', 20_000],
  ['candles', '0.1%', 1_900_000],
] as const)(
  'flow of %s with a collar of %s reaches us after %i us',
  async (grade, collar, latencyUs) => {
    const lines = grade === 'trades' ? tradeLines(5, 6_000) : barLines(5, 20_000, 1);
    const volume = 'halfSpread: "0.02", volumeShare: "10%"';
    const fillModel = grade === 'trades' ? `{ ${volume} }` : `{ ${volume}, interval: "1s" }`;
    const recording = await writeCoarse(folder, grade, lines);
    const coarse = coarseScenario(recording, fillModel, latencyUs);
    const text = quoting(coarse, collar, grade === 'trades' ? '10s' : '30s');
    const { source: _, ...scenario } = loadScenario(writeScenario(folder, text));
    const late = await expectSame(scenario);
    expect(late.cancels.length).toBeGreaterThan(40);
    expect(late.passes).toBeGreaterThan(100);
  },
  60_000,
);
