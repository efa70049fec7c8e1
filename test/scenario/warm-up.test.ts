/** A strategy that asks for candles of before its run gets them, in a backtest and in a bot. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { Notice } from '../../src/domain/notice.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { endAll, millrace } from '../support/process-bot.ts';
import { openPlace, writeConfig } from '../support/safety-bot.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-warm-up-'));
afterAll(async () => {
  await endAll();
  rmSync(folder, { recursive: true, force: true });
});

type Told = { readonly minutes: readonly number[]; readonly areWhole: boolean };

/** Says once what it was given. */
const tells = (candles: number) => `
    const minutes = market.history.map(({ startMs }) => startMs / 60_000);
    const areWhole = market.history.every(({ low, high, close, volume }) =>
      0 < low && low <= close && close <= high && volume >= 0);
    return rx.concat(
      rx.of({ kind: 'idle', pair, reason: JSON.stringify({ minutes, areWhole }) }), rx.NEVER);
}, warmUp: () => ({ intervalMs: 60_000, candles: ${candles} }), quoting() { return undefined;`;

/** Runs the first minute after `from`; returns what the strategy says, and what people are told. */
async function backtest(name: string, candles: number, from: string) {
  const place = join(folder, name);
  mkdirSync(place);
  const changes = [...minuteOf(name), [/^from: .*$/mu, `from: "${from}"`] as const];
  const until = new Date(Date.parse(from) + 60_000).toISOString();
  writeFirst(place, [...changes, [/^to: .*$/mu, `to: "${until}"`]]);
  let told = '';
  const notices: Notice[] = [];
  await runBacktest({
    scenario: loadScenario(join(place, 'scenario.yaml')),
    dataFolder: '',
    strategiesFolder: writePlugin(place, name, tells(candles)),
    onNotice: (notice) => notices.push(notice),
    onRecords: (records) => {
      for (const record of records) if (record.kind === 'idle') told ||= record.reason;
    },
  });
  const texts = notices.filter(({ level }) => level !== 'info').map(({ text }) => text);
  return { ...(JSON.parse(told) as Told), texts };
}

test('a backtest takes them from its recording, before the time that it plays', async () => {
  const from = '2026-11-20T12:20:30Z';
  const { minutes, areWhole, texts } = await backtest('has-enough', 10, from);
  const end = Date.parse('2026-11-20T12:20:00Z') / 60_000;
  expect(minutes).toEqual(Array.from({ length: 10 }, (_, index) => end + index - 10));
  expect(areWhole).toBe(true);
  expect(texts.filter((text) => text.includes('candles'))).toEqual([]);
});

test('a backtest that has fewer says so', async () => {
  const { minutes, texts } = await backtest('has-few', 10, '2026-11-20T12:03:30Z');
  expect(minutes.length).toBeLessThan(4);
  expect(texts).toContain(
    `mm-xbt starts on XBTZAR with ${minutes.length} of the 10 candles of 1m it asks for`,
  );
});

test('a bot asks the exchange for them, and its journal has them', async () => {
  const place = await openPlace();
  const { root, home } = place;
  const file = join(writePlugin(root, 'asks', tells(3)), 'asks', 'strategy.ts');
  // Of the copied package, as all that runs there.
  const index = /from '[^']*\/src\/index\.ts'/u;
  writeFileSync(file, readFileSync(file, 'utf8').replace(index, `from '../../src/index.ts'`));
  const config = writeConfig(place, 'asks', (text) => text.replace('plugin: many', 'plugin: asks'));
  const bot = millrace(['run', config, '--home', home, '--for', '3s', '--json'], { root });
  expect((await bot.ended).code, bot.text).toBe(0);
  // The simulated exchange has candles of before its start.
  expect(bot.text).not.toContain('of the 3 candles');
  expect(bot.text).toMatch(/mm-xbt XBTZAR is idle: \{"minutes":\[\d+,\d+,\d+\],"areWhole":true\}/u);
  const replay = millrace(['replay', '--home', home, '--json'], { root });
  expect((await replay.ended).code, replay.text).toBe(0);
}, 120_000);
