/**
 * A quote that asks for `onMove: cancel` in a backtest: it plays as with that setting of its
 * strategy, and not as by default.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-move-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A bid that moves every two seconds and notes the most bids that were at the exchange at once. */
const plugin = `let most = 0;
  return context.every(2_000).pipe(rx.mergeMap((count) => rx.of(
    { kind: 'quote', pair, reason: 'moves', ...context.parameters, orders: [
      { level: 'bid', side: 'BID', price: 990_000 + count * 100, volume: 10_000 }] })),
    rx.mergeWith(market.order$.pipe(rx.mergeMap(() => {
      const open = market.orders.filter(({ state }) => state === 'open').length;
      if (open <= most) return rx.EMPTY;
      most = open;
      return rx.of({ kind: 'remember', state: most });
    }))));`;
const strategies = writePlugin(
  folder,
  'moves',
  plugin,
  '',
  'z.object({ onMove: z.string().optional() }), state: { schema: z.number(), initial: 0 }',
);

async function play(name: string, parameters: string, setting: string) {
  const scenario = writeFirst(join(folder, name), [
    ...minuteOf('moves'),
    [/parameters: \{\}/u, `parameters: ${parameters}`],
    [/postOnly: required/u, 'postOnly: allowed'],
    [/onStop: cancel/u, `onStop: cancel\n    onMove: ${setting}`],
  ]);
  let most = 0;
  const { hash, result } = await runBacktest({
    scenario: loadScenario(join(scenario, 'scenario.yaml')),
    dataFolder: folder,
    strategiesFolder: strategies,
    onRecords: (records) => {
      for (const record of records)
        if (record.kind === 'strategy-state') most = JSON.parse(record.state).state;
    },
  });
  expect(result.partial).toBeUndefined();
  expect(result.ordersAccepted).toBeGreaterThan(20);
  return { hash, most };
}

test('a quote with onMove: cancel plays as the setting, and never has two orders of a level', async () => {
  const overlapping = await play('overlap', '{}', 'overlap');
  const set = await play('set', '{}', 'cancel');
  const asked = await play('asked', '{ onMove: cancel }', 'overlap');
  expect([overlapping.most, set.most, asked.most]).toEqual([2, 1, 1]);
  expect(asked.hash).toBe(set.hash);
  expect(asked.hash).not.toBe(overlapping.hash);
}, 60_000);
