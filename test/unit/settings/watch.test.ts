/** Pairs that a strategy only watches: `watch` in the settings of a bot and of a scenario. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { loadBot } from '../../../src/bot/start/load-bot.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { loadBotSettings } from '../../../src/settings/load-bot-settings.ts';
import { loadScenario } from '../../../src/settings/load-scenario.ts';
import { workspace } from '../../support/package-root.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-watch-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const watcher = `
version: 1
bot: watcher
mode: demo
strategies:
  eye: { plugin: simple-mm, watch: [XBTZAR, ETHZAR] }
`;
const trader = `
version: 1
bot: trader
mode: demo
strategies:
  maker:
    plugin: simple-mm
    pairs: [XBTZAR]
    watch: [ETHZAR]
    budget: { ZAR: "20000", XBT: "0.05" }
limits: learner
`;

function fileOf(text: string): string {
  const file = join(folder, 'bot.yaml');
  writeFileSync(file, text);
  return file;
}

const load = (text: string) => loadBotSettings(fileOf(text), { workspace });

function problemsOf(text: string): string {
  try {
    load(text);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

test('a bot that only watches needs no budget and no limits, and none allows an order', () => {
  const { strategies, limits } = load(watcher);
  expect(strategies[0]).toMatchObject({ pairs: [], watch: ['XBTZAR', 'ETHZAR'], budget: {} });
  expect(limits.account).toMatchObject({ openNotionalMax: {}, ordersOpenMax: 0 });
  expect(limits.pairs).toEqual({});
  expect(load(`${watcher}limits: learner\n`).limits).toEqual(limits);
});

test('a strategy that trades may watch further pairs, which need no limits', () => {
  const { strategies, limits } = load(trader);
  expect(strategies[0]).toMatchObject({ pairs: ['XBTZAR'], watch: ['ETHZAR'] });
  expect(Object.keys(limits.pairs)).toEqual(['XBTZAR']);
});

test('settings without watch have no such key, so that their hashes stay', () => {
  const [maker] = load(trader.replace(/^ *watch.*\n/mu, '')).strategies;
  expect(Object.keys(maker ?? {})).not.toContain('watch');
});

test.each([
  [watcher.replace(', watch: [XBTZAR, ETHZAR]', ''), 'strategies.eye: lacks pairs, which is'],
  [watcher.replace('[XBTZAR, ETHZAR]', '[]'), 'strategies.eye.watch: was an empty list'],
  [watcher.replace('ETHZAR', 'XBTZAR'), 'strategies.eye.watch[1]: was XBTZAR; allowed: each'],
  [watcher.replace('ETHZAR', 'ethzar'), 'try: "ETHZAR"'],
  [trader.replace(/^ *budget.*\n/mu, ''), 'strategies.maker: lacks budget, which is required'],
  [trader.replace('limits: learner', ''), 'lacks limits, which is required'],
  [
    trader.replace('[ETHZAR]', '[XBTZAR]'),
    'strategies.maker.watch[0]: was XBTZAR, which is in pairs: what is traded is watched, too',
  ],
])('what is missing or wrong is said: %#', (text, problem) => {
  expect(problemsOf(text)).toContain(problem);
});

test('in mode live a bot that only watches needs no accounts, limits and caps', () => {
  const live = watcher.replace('mode: demo', 'mode: live\nvenue: simulator');
  const problems = problemsOf(live);
  for (const key of ['accounts', 'egress', 'limits', 'allow'])
    expect(problems).not.toContain(`lacks ${key}`);
  expect(problems).toContain('lacks live');
  expect(problems).toContain('lacks approved');
});

test('a plugin that watches no pairs, or another number of them, is refused', async () => {
  const loaded = (text: string) => loadBot(fileOf(text), { workspace }, () => {});
  await expect(loaded(watcher)).rejects.toThrow(
    'strategies.eye.pairs: simple-mm trades 1 pair(s), 0',
  );
  await expect(loaded(trader)).rejects.toThrow('simple-mm watches 0 pair(s), 1 given');
});

const scenario = `
version: 1
scenario: two
markets:
  XBTZAR: { recording: a.mrec, rules: { base: XBT, counter: ZAR } }
  ETHXBT: { recording: b.mrec, rules: { base: ETH, counter: XBT } }
fees: { maker: "0bps", taker: "5bps" }
latencies: { feed: "1ms", request: "1ms", answer: "1ms" }
balances: { XBT: "1", ZAR: "1000" }
seed: 1
bot: two
strategies:
  maker:
    plugin: simple-mm
    pairs: [XBTZAR]
    watch: [ETHXBT]
    budget: { ZAR: "20000", XBT: "0.05" }
limits: learner
`;

function scenarioOf(text: string) {
  const file = join(folder, 'scenario.yaml');
  writeFileSync(file, text);
  return loadScenario(file);
}

test('a scenario needs balances only in the currencies that are traded', () => {
  expect(scenarioOf(scenario).strategies[0]?.watch).toEqual(['ETHXBT']);
  expect(() => scenarioOf(scenario.replace(/^ *watch.*\n/mu, ''))).toThrow('balances: lacks ETH');
  const onlyWatches = scenario
    .replace(/^ *(?:pairs|budget|balances|limits).*\n/gmu, '')
    .replace('[ETHXBT]', '[ETHXBT, XBTZAR]');
  expect(scenarioOf(onlyWatches).balances).toEqual({});
});

test('a watched pair that the scenario has no recording of is named', () => {
  expect(() => scenarioOf(scenario.replace('[ETHXBT]', '[ETHEUR]'))).toThrow(
    `strategies.maker.watch[0]: was "ETHEUR"; allowed: the scenario's markets, XBTZAR, ETHXBT`,
  );
});
