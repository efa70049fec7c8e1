/**
 * Paper trading over a live stream fills like a backtest over the compiled capture of that stream,
 * and a comparison of a run with its own backtest finds no difference if nothing was late.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { compareRuns } from '../../../src/backtest/compare/compare-runs.ts';
import { RunBook } from '../../../src/backtest/compare/run-book.ts';
import { StreamRun } from '../../../src/backtest/compare/stream-run.ts';
import { startOf } from '../../../src/backtest/run/backtest-start.ts';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { ScenarioSettings } from '../../../src/domain/scenario-settings.ts';
import type { Latency } from '../../../src/domain/trading-conditions.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { prepareStrategy } from '../../../src/strategy/loader.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import {
  createSpread,
  firstMarket,
  streamFirstMarket,
  writeFirstRecording,
} from '../../support/first-recording.ts';
import { onlyMarketOf } from '../../support/scenario-market.ts';

const root = join(import.meta.dirname, '..', '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'millrace-paper-'));
const seconds = 600;
const frames: { readonly text: string; readonly stampMicros: number }[] = [];

beforeAll(async () => {
  await writeFirstRecording(join(folder, 'recording.mrec'), seconds, createSpread());
  const spread = createSpread();
  streamFirstMarket(seconds, (_, streamed) => {
    const text = spread(streamed);
    const message = marketFramesOf().decode(text);
    const { timestamp } = message.kind === 'snapshot' ? message.snapshot : message.update;
    frames.push({ text, stampMicros: timestamp * 1_000 });
  });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Latencies = { readonly feedUs: number; readonly request: Latency; readonly answer: Latency };

function scenarioOf({ feedUs, request, answer }: Latencies): ScenarioSettings {
  const { source: _, ...scenario } = loadScenario(join(root, 'backtests/first/scenario.yaml'));
  return {
    ...scenario,
    folder,
    fromMs: undefined,
    toMs: undefined,
    latencies: { feed: { kind: 'fixed', us: feedUs }, request, answer },
  };
}

async function backtestOf(scenario: ScenarioSettings) {
  const book = new RunBook();
  const { startMicros } = await runBacktest({
    scenario,
    dataFolder: '',
    strategiesFolder: join(root, 'strategies'),
    onRecords: (records) => book.note(records),
  });
  return { startMicros, orders: book.orders(0) };
}

async function paperOf(scenario: ScenarioSettings, startMicros: number, latencies: Latencies) {
  const { market, settings } = onlyMarketOf(scenario);
  const plugins = new Map();
  for (const one of scenario.strategies)
    plugins.set(one.id, await prepareStrategy({ folder: join(root, 'strategies'), settings: one }));
  const run = new StreamRun({
    start: startOf(scenario, [market], startMicros),
    plugins,
    paper: {
      profile: lunoProfile,
      markets: [{ market, fees: settings.fees }],
      balances: scenario.balances,
      latencies,
      seed: scenario.seed,
    },
  });
  const { pair } = firstMarket();
  run.play(startMicros, { kind: 'market-opened', pair });
  let lastMicros = startMicros;
  for (const [index, { text, stampMicros }] of frames.entries()) {
    // The first book is known at the start, as in a backtest.
    const atMicros = index === 0 ? startMicros : stampMicros + latencies.feedUs;
    lastMicros = Math.max(lastMicros, atMicros);
    run.play(lastMicros, {
      kind: 'market-frame',
      pair,
      text,
      message: marketFramesOf().decode(text),
    });
  }
  run.play(lastMicros + 1, { kind: 'operator', command: 'stop', reason: 'the recording is over' });
  run.finish(Infinity);
  return run.book.orders(0);
}

describe.each([
  {
    name: 'fixed latencies',
    latencies: {
      feedUs: 3_337,
      request: { kind: 'fixed', us: 4_211 },
      answer: { kind: 'fixed', us: 6_113 },
    },
  },
  {
    name: 'drawn latencies',
    latencies: {
      feedUs: 1_337,
      request: { kind: 'between', fromUs: 2_001, toUs: 9_001 },
      answer: { kind: 'measured', samplesUs: [2_113, 5_501, 9_907] },
    },
  },
] as const)('paper with $name', ({ latencies }) => {
  test('places and fills like the backtest over the compiled capture', async () => {
    const scenario = scenarioOf(latencies);
    const { startMicros, orders } = await backtestOf(scenario);
    const paper = await paperOf(scenario, startMicros, latencies);
    const fillsOf = (run: typeof orders) => run.flatMap(({ fills }) => fills);
    expect(fillsOf(orders).length).toBeGreaterThan(20);
    expect(fillsOf(paper)).toEqual(fillsOf(orders));
    expect(paper.map(({ row }) => row.clientOrderId)).toEqual(
      orders.map(({ row }) => row.clientOrderId),
    );
    const comparison = compareRuns(paper, orders, 1_000);
    expect(comparison.differences).toEqual([]);
    expect(comparison.same).toBe(orders.length);
  });
});
