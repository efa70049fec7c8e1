/** Pairs that a strategy only watches, in demo, paper, replay and backtest. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import type { StoreRecord } from '../../src/domain/records.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { writeRecordings } from '../support/first-recording.ts';
import { packageRoot } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { linkModules } from '../support/planted-plugin.ts';
import { endAll, millrace, newHome, type Summary } from '../support/process-bot.ts';

afterAll(endAll);

/**
 * Says once what it sees of the watched pair, and then wants a bid on each pair that it sees, also
 * on those that it only watches.
 */
const plugin = `import * as rx from 'rxjs';
import { z } from 'zod';
import { defineStrategy } from '${join(packageRoot, 'src/index.ts')}';

export default defineStrategy({
  name: 'eye', parameters: z.object({}), pairs: 'any', watches: 1,
  warmUp: () => ({ intervalMs: 60_000, candles: 2 }),
  run({ pairs, watched, log }) {
    const [eth] = watched;
    const bid = ({ pair, top }) => ({
      kind: 'place', pair, key: 'of-' + pair, reason: 'a bid below the best one',
      terms: { side: 'BID', price: top.bid - 100, volume: 1_000, postOnly: true },
    });
    return rx.merge(
      eth.top$.pipe(rx.take(1), rx.mergeMap(() => {
        log(['sees', eth.pair, eth.history.length, 'room' in eth].join(' '));
        return [...pairs, eth].map(bid);
      })),
      eth.trade$.pipe(rx.take(1), rx.mergeMap(() => (log('sees a trade'), []))),
      rx.NEVER,
    );
  },
});
`;

/** Writes the plugin and a bot's file beside it; returns the file. */
function fileOf(home: string, mode: string, strategy: string, rest = ''): string {
  const folder = join(home, 'bots');
  linkModules(folder);
  writeFileSync(join(folder, 'eye.ts'), plugin);
  const file = join(folder, 'bot.yaml');
  const text = `version: 1\nbot: watcher\nvenue: simulator\nmode: ${mode}\n`;
  writeFileSync(file, `${text}strategies:\n  eye: { plugin: ./eye.ts, ${strategy} }\n${rest}`);
  return file;
}

async function runIn(home: string, file: string) {
  const bot = millrace(['start', file, '--home', home, '--for', '6s', '--json']);
  const { code } = await bot.ended;
  expect(code, bot.text).toBe(0);
  const replay = millrace(['replay', file, '--home', home]);
  expect((await replay.ended).code, replay.text).toBe(0);
  expect(replay.text).toContain(' 0 differences ');
  return { text: bot.text, summary: JSON.parse(bot.stdout) as Summary };
}

const trades = 'pairs: [XBTZAR], watch: [ETHZAR], budget: { ZAR: "20000", XBT: "0.05" }';
const refused =
  'eye ETHZAR of-ETHZAR refused: INVALID_INTENT: the intent is invalid: pair must be one that the ' +
  'strategy trades, and it only watches ETHZAR';

test('a bot that only watches starts without limits and orders nothing', async () => {
  const home = newHome();
  const { text, summary } = await runIn(home, fileOf(home, 'demo', 'watch: [ETHZAR]'));
  expect(text).toContain('eye: sees ETHZAR 2 false');
  expect(text).toContain('eye: sees a trade');
  expect(text).toContain(refused);
  expect(summary).toMatchObject({ ordersAccepted: 0, auditFailed: null, incidents: 0 });
}, 120_000);

test('a strategy trades one pair and watches another, which has no limits', async () => {
  const home = newHome();
  const file = fileOf(home, 'demo', trades, 'limits: learner\n');
  const { text, summary } = await runIn(home, file);
  expect(text).toContain('eye: sees ETHZAR 2 false');
  expect(text).toContain(refused);
  expect(summary).toMatchObject({ ordersAccepted: 1, auditFailed: null, balanceDifference: '0' });
}, 120_000);

test.each([
  ['watches', 'watch: [ETHZAR]', '{ ZAR: "0" }', '', 0],
  ['trades', trades, '{ XBT: "1", ZAR: "100000" }', 'limits: learner\n', 1],
])(
  'in mode paper a strategy %s',
  async (_name, strategy, balances, limits, orders) => {
    const home = newHome();
    const file = fileOf(home, 'paper', strategy, `paper: { balances: ${balances} }\n${limits}`);
    const { text, summary } = await runIn(home, file);
    expect(text).toContain('eye: sees ETHZAR 2 false');
    expect(text).toContain('eye: sees a trade');
    expect(text).toContain(refused);
    expect(summary).toMatchObject({ ordersAccepted: orders, auditFailed: null });
  },
  120_000,
);

test('a backtest plays the recording of a watched pair, without a balance in its base', async () => {
  const folder = join(newHome(), 'backtest');
  mkdirSync(folder);
  linkModules(folder);
  const paths = { XBTZAR: join(folder, 'a.mrec'), ETHXBT: join(folder, 'b.mrec') };
  await writeRecordings(paths, 120, (text) => text);
  writeFileSync(join(folder, 'eye.ts'), plugin);
  writeFileSync(
    join(folder, 'scenario.yaml'),
    `version: 1
scenario: watched
markets: { XBTZAR: { recording: a.mrec }, ETHXBT: { recording: b.mrec } }
fees: { maker: "0bps", taker: "5bps" }
latencies: { feed: "1ms", request: "1ms", answer: "1ms" }
balances: { XBT: "1", ZAR: "100000" }
seed: 1
bot: watcher
strategies:
  eye: { plugin: ./eye.ts, ${trades.replace('ETHZAR', 'ETHXBT')} }
limits: learner
`,
  );
  const play = async () => {
    const records: StoreRecord[] = [];
    const played = await runBacktest({
      scenario: loadScenario(join(folder, 'scenario.yaml')),
      dataFolder: '',
      strategiesFolder: folder,
      onRecords: (some) => records.push(...some),
    });
    return { ...played, records };
  };
  const { hash, result, records, stopped } = await play();
  expect(stopped).toEqual([]);
  expect(result.orders).toBe(1);
  expect(records).toContainEqual(
    expect.objectContaining({ kind: 'decision', pair: 'ETHXBT', verdict: 'refused' }),
  );
  expect((await play()).hash).toBe(hash);
}, 120_000);

test('a backtest in which no strategy trades has no figures of trading, and no cautions about them', async () => {
  const home = newHome();
  const folder = join(home, 'backtest');
  mkdirSync(folder);
  linkModules(folder);
  await writeRecordings({ XBTZAR: join(folder, 'a.mrec') }, 120, (text) => text);
  writeFileSync(
    join(folder, 'watcher.ts'),
    `import { defineStrategy } from '${join(packageRoot, 'src/index.ts')}';
import { map, NEVER, merge, ignoreElements, tap } from 'rxjs';
import { z } from 'zod';
export default defineStrategy({
  name: 'watcher', parameters: z.object({}), pairs: 'any', watches: 1,
  run: ({ watched: [eth] }) =>
    merge(eth.top$.pipe(tap(({ bid }) => eth.plot('bid', bid)), ignoreElements()), NEVER),
});
`,
  );
  const file = join(folder, 'scenario.yaml');
  writeFileSync(
    file,
    `version: 1
scenario: only-watched
markets: { XBTZAR: { recording: a.mrec } }
fees: { maker: "0bps", taker: "5bps" }
latencies: { feed: "1ms", request: "1ms", answer: "1ms" }
seed: 1
bot: watcher
strategies:
  eye: { plugin: ./watcher.ts, watch: [XBTZAR] }
`,
  );
  const run = millrace(['backtest', file, '--home', home]);
  expect((await run.ended).code, run.text).toBe(0);
  const figures = run.stdout.slice(run.stdout.indexOf('\nscenario') + 1);
  const lines = figures.trim().split('\n');
  expect(lines.map((line) => line.slice(0, 17).trim())).toEqual([
    ...['scenario', 'recording', 'time played', 'incidents', 'watched'],
    ...['run time', 'hash', 'results', 'report'],
  ]);
  expect(run.stdout).toMatch(
    /^watched +XBTZAR, which no strategy trades; a mid of \d+(?:\.\d+)? ZAR at the end$/mu,
  );
  const report = /^report +(\S+)$/mu.exec(run.stdout)?.[1] ?? '';
  const page = pageContentIn(report);
  expect(page.cautions).toEqual([]);
  expect(page.tables.map(({ title }) => title)).toEqual(['Data played']);
  const [market] = page.markets;
  expect(market?.cautions).toEqual([]);
  expect(market?.cards.map(({ name }) => name)).toEqual(['Mid at the end']);
  expect(market?.chart.panes.map(({ title }) => title)).toEqual(['Price']);
}, 120_000);
