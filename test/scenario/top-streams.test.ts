/**
 * The two streams of the best prices in a backtest: one emits the changes of price, the other also
 * those of volume.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { writeScenario } from '../support/backtest-scenario.ts';
import { writePlugin } from '../support/planted-plugin.ts';

const first = join(import.meta.dirname, '../../backtests/first');
const folder = mkdtempSync(join(tmpdir(), 'millrace-top-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Plays ten minutes; returns what a stream emits: time, best prices, volumes and a number. */
async function emitted(stream: string): Promise<readonly string[]> {
  // A module is loaded once, so each stream has a plugin of its own.
  const plugin = `reports-${stream === 'top$' ? 'price' : 'volume'}`;
  const strategiesFolder = writePlugin(
    folder,
    plugin,
    `return market.${stream}.pipe(rx.map((top, index) => ({ kind: 'idle', pair,
      reason: [context.nowMs(), top.bid, top.ask, top.bidVolume, top.askVolume, index].join(' ')
    })));`,
  );
  const text = readFileSync(join(first, 'scenario.yaml'), 'utf8')
    .replace('recording.mrec', join(first, 'recording.mrec'))
    .replace(/^to: .*/mu, 'to: "2026-11-20T12:10:30Z"')
    .replace('plugin: simple-mm', `plugin: ${plugin}`)
    .replace(/parameters: .*/u, 'parameters: {}');
  const reasons: string[] = [];
  const { result } = await runBacktest({
    ...{ scenario: loadScenario(writeScenario(folder, text)), strategiesFolder },
    dataFolder: folder,
    onRecords: (records) => {
      for (const record of records) if (record.kind === 'idle') reasons.push(record.reason);
    },
  });
  expect(result.partial).toBeUndefined();
  return reasons.filter((reason) => /^\d/u.test(reason));
}

test('top$ emits the changes of price that topWithVolume$ emits, and no others', async () => {
  const [tops, all] = [await emitted('top$'), await emitted('topWithVolume$')];
  const pricesOf = (reason = ''): string => reason.split(' ').slice(1, 3).join(' ');
  const changes = all.filter((reason, index) => pricesOf(reason) !== pricesOf(all[index - 1]));
  const unnumbered = (reason: string): string => reason.split(' ').slice(0, 5).join(' ');
  expect(tops.map(unnumbered)).toEqual(changes.map(unnumbered));
  expect(tops.length).toBeGreaterThan(100);
  expect(all.length).toBeGreaterThan(tops.length);
});
