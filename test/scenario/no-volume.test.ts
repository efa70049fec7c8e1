/** Candles without volume: a strategy sees their prices, nothing fills, and the report says why. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { coarseCautionsOf } from '../../src/backtest/report/coarse-cautions.ts';
import { runCautionsOf } from '../../src/backtest/report/run-cautions.ts';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { barTable, coarseScenario, writeCoarse } from '../support/coarse-recordings.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-no-volume-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const minute = 60;
const start = Date.UTC(2024, 0, 1) / 1_000;
const begins = Array.from({ length: 40 }, (_, index) => start + index * minute);

/** Runs a plugin over the candles; `run` is the body of its method. */
async function played(name: string, run: string, volume: number) {
  const recording = await writeCoarse(folder, 'candles', barTable(begins, volume), { name });
  const fillModel = '{ halfSpread: "0.02", volumeShare: "10%", interval: "1m" }';
  const path = join(folder, `${name}.yaml`);
  const text = coarseScenario(recording, fillModel, 0)
    .replace('plugin: simple-mm', `plugin: ${name}`)
    .replace(/parameters: \{.*\}/u, 'parameters: {}')
    .replace('bookAgeMax: "30s"', 'bookAgeMax: "2m"');
  writeFileSync(path, text);
  const scenario = loadScenario(path);
  const closes: number[] = [];
  Object.assign(globalThis, { closes });
  const strategiesFolder = writePlugin(folder, name, run);
  const backtest = await runBacktest({ scenario, dataFolder: '', strategiesFolder });
  const blocks = backtest.coarse[0]?.blocks;
  if (blocks === undefined) throw new Error('candles are coarse data');
  const { result, run: finished } = backtest;
  const cautions = [
    ...runCautionsOf(backtest, scenario, finished.store.sending),
    ...coarseCautionsOf(blocks),
  ];
  return { closes, result, cautions };
}

/** Rests a bid that every candle trades through. */
const bids = `
    return market.candle$(60_000).pipe(rx.map(({ startMs, close }) => {
      globalThis.closes.push(close);
      const terms = { side: 'BID', price: market.ticks('9.80'), volume: market.lots('1') };
      return { kind: 'place', pair, key: 'k' + startMs,
        terms: { ...terms, timeInForce: 'GTC', postOnly: true }, reason: 'a candle' };
    }));`;

test('their closes reach candle$, orders rest, nothing fills, and a caution says why', async () => {
  const { closes, result, cautions } = await played('bids', bids, 0);
  // The strategy starts with the first candle; the last one ends with the recording.
  expect(closes).toEqual(begins.slice(1, -1).map((_, index) => 1_001 + index));
  expect(result.ordersAccepted).toBeGreaterThan(0);
  expect(result.fills).toBe(0);
  expect(
    cautions.filter((text) => text.startsWith('nothing can fill: none of the 40')),
  ).toHaveLength(1);
  expect(cautions.join('\n')).not.toContain('no strategy requested one');
}, 60_000);

test('the same orders fill over the same candles with a volume, without that caution', async () => {
  const { result, cautions } = await played('bids', bids, 100);
  expect(result.fills).toBeGreaterThan(0);
  expect(cautions.join('\n')).not.toContain('volume');
}, 60_000);

test('a strategy that waits for trades has none, and the report says so', async () => {
  const { result, cautions } = await played(
    'waits',
    'return market.trade$.pipe(rx.ignoreElements());',
    0,
  );
  expect(result.orders).toBe(0);
  expect(cautions).toContain(
    'there were no orders: no candle has a volume, so there was no trade for a strategy that waits for one',
  );
}, 60_000);
