/**
 * A latency drawn between two equal bounds takes the same time as a fixed one, so the whole result
 * of a backtest is the same; and no fill is known before a read could have shown it.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runBacktest } from '../../../src/backtest/run/run-backtest.ts';
import type { Latency } from '../../../src/domain/trading-conditions.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { lunoProfile } from '../../../src/venues/profiles.ts';
import { compareLatencies, createLatencyWorld } from '../../support/latency-worlds.ts';
import { packageRoot, workspace } from '../../support/package-root.ts';

test('fixed latencies and drawn ones of equal bounds give the same result, in random worlds', async () => {
  let fills = 0;
  for (let seed = 1; seed <= 12; seed++) {
    const world = await createLatencyWorld(seed);
    const outcome = await compareLatencies(world, undefined);
    world.close();
    expect(outcome.drawn, world.name).toBe(outcome.fixed);
    fills += outcome.fills;
  }
  expect(fills).toBeGreaterThan(20);
}, 240_000);

test('and with a maker that uses the calls of every minute', async () => {
  const loaded = loadScenario(join(packageRoot, 'backtests/first/scenario.yaml'));
  const scenario = { ...loaded, toMs: Date.parse('2026-11-20T12:10:00Z') };
  const folders = { dataFolder: workspace.data, strategiesFolder: workspace.strategies };
  const outcome = await compareLatencies({ scenario, ...folders }, undefined);
  expect(outcome.drawn).toBe(outcome.fixed);
  expect(outcome.fills).toBeGreaterThan(100);
}, 120_000);

test('no fill is booked before an answer that left the exchange after the trade', async () => {
  const root = join(import.meta.dirname, '../../..');
  const scenario = loadScenario(join(root, 'backtests/first/scenario.yaml'));
  const slow: Latency = { kind: 'fixed', us: 400_000 };
  const latencies = { feed: { kind: 'fixed', us: 1_000 }, request: slow, answer: slow } as const;
  const delaysMs: number[] = [];
  await runBacktest({
    scenario: { ...scenario, latencies, profile: { ...lunoProfile, calls: 'unlimited' } },
    dataFolder: '',
    strategiesFolder: join(root, 'strategies'),
    onRecords: (records, atMicros) => {
      for (const record of records)
        if (record.kind === 'fill') delaysMs.push(atMicros / 1_000 - record.row.tradedMs);
    },
  });
  expect(delaysMs.length).toBeGreaterThan(100);
  // The read may have been on its way when the trade happened; its answer was not.
  expect(Math.min(...delaysMs)).toBeGreaterThan(400);
});
