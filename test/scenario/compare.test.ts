/** Comparing a finished run with a backtest of the same hours finds only real differences. */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { startOf } from '../../src/backtest/run/backtest-start.ts';
import { createJournalFile } from '../../src/bot/journal/journal-file.ts';
import { readRecordedRun } from '../../src/bot/journal/recorded-run.ts';
import {
  compareRecorded,
  type MarketComparison,
  runCompareCommand,
} from '../../src/cli/commands/compare-command.ts';
import type { BookMessage } from '../../src/domain/book-message.ts';
import type { PaperSettings } from '../../src/domain/bot-settings.ts';
import { doneName } from '../../src/domain/done-strategy.ts';
import { assert } from '../../src/domain/errors.ts';
import { nothingRestored, type Restored } from '../../src/domain/records.ts';
import type { ScenarioSettings } from '../../src/domain/scenario-settings.ts';
import { Driver } from '../../src/engine/driver.ts';
import { Engine } from '../../src/engine/engine.ts';
import type { EngineStart } from '../../src/engine/engine-start.ts';
import type { ExchangePort } from '../../src/engine/exchange-port.ts';
import { encodeHeader } from '../../src/engine/journal.ts';
import { PaperCore } from '../../src/paper/paper-core.ts';
import { createPaperExchange } from '../../src/paper/paper-exchange.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { type PreparedStrategy, prepareStrategy } from '../../src/strategy/loader.ts';
import { Output } from '../../src/terminal/output.ts';
import type { MarketListener } from '../../src/venue/venue-streams.ts';
import { lunoProperties } from '../../src/venues/luno/adapter/properties.ts';
import { decodeMarketFrame } from '../../src/venues/luno/api/market-messages.ts';
import { lunoProfile } from '../../src/venues/profiles.ts';
import { simulatedMarket, streamMarkets } from '../support/first-recording.ts';
import { MemoryStore } from '../support/memory-store.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';
import { withSecondMarket } from '../support/second-market.ts';
import { second, startMicros } from '../support/simulated-exchange.ts';
import { processTime, VirtualTime } from '../support/virtual-time.ts';

const root = join(import.meta.dirname, '..', '..');
const home = mkdtempSync(join(tmpdir(), 'millrace-compare-'));
mkdirSync(join(home, 'journal'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

const firstFile = join(root, 'backtests/first/scenario.yaml');

/** The first scenario, or it with a second market. */
function scenarioOf(isOfTwo: boolean): ScenarioSettings {
  const text = readFileSync(firstFile, 'utf8');
  const path = join(home, 'scenario.yaml');
  writeFileSync(path, isOfTwo ? withSecondMarket(text) : text);
  const { source: _, ...scenario } = loadScenario(path);
  return scenario;
}

/** What a run starts from that continues an earlier one, in which this strategy was done. */
function restoredWith(strategyId: string): Restored {
  const state = JSON.stringify({ atMs: startMicros / 1_000 - 1, reason: 'all of it' });
  const riskStates = [{ name: doneName(strategyId), state }];
  return { ...nothingRestored, intentIdNext: 5, riskStates };
}

/** Runs a paper bot in virtual time; returns its journal. The answer to `held` comes 1 s later. */
async function paperRun(
  runId: number,
  latencies: PaperSettings['latencies'],
  { soonMicros = 0, isOfTwo = false, held = 0, done = '' } = {},
) {
  const scenario = scenarioOf(isOfTwo);
  const markets = scenario.markets.map((one) => ({
    market: simulatedMarket(one.pair),
    fees: one.fees,
  }));
  const pairs = markets.map(({ market }) => market.pair);
  const { balances } = scenario;
  const made = startOf(
    scenario,
    markets.map(({ market }) => market),
    startMicros,
  );
  const start: EngineStart = {
    ...made,
    settings: { ...made.settings, paper: { balances, latencies } },
    environment: { ...made.environment, mode: 'paper' },
    reportsInfo: true,
    venue: lunoProperties,
    ...(done === '' ? {} : { restored: restoredWith(done) }),
  };
  const plugins = new Map<string, PreparedStrategy>();
  for (const settings of scenario.strategies)
    plugins.set(settings.id, await prepareStrategy({ folder: join(root, 'strategies'), settings }));
  const time = new VirtualTime(startMicros);
  const { clock, timers } = processTime({
    time,
    skewMicros: 0,
    steppedMicros: () => 0,
    isAlive: () => true,
    stillUntilMicros: () => 0,
    soonMicros: () => soonMicros,
  });
  const name = { bot: 'paper', runId, startedMs: startMicros / 1_000 };
  const journal = createJournalFile(join(home, 'journal'), name);
  journal.append(
    encodeHeader({
      protocol: 'luno',
      run: String(runId),
      node: '',
      hashes: {},
      start,
    }),
  );
  const core = new PaperCore({
    profile: lunoProfile,
    ...{ markets, balances, latencies },
    seed: 1,
    onWarning: () => {},
    nowMicros: clock.nowMicros,
  });
  const listeners = new Map<string, MarketListener>();
  const exchange = createPaperExchange({
    ...{ core, clock, timers },
    pairs,
    connect: (one, heard) => {
      listeners.set(one, heard);
      return { start: () => heard.opened(), reconnect: () => {}, close: async () => {} };
    },
  });
  const open: ExchangePort['open'] = (sink) =>
    exchange.open((event) => {
      if (event.kind !== 'reply' || event.request !== held) sink(event);
      else time.at(time.nowMicros + second, () => sink(event));
    });
  let openOrders: number | undefined;
  const driver = new Driver({
    engine: new Engine(start, plugins),
    store: new MemoryStore(),
    ...{ clock, timers, journal: { append: (line) => journal.append(line()) } },
    exchange: { ...exchange, open },
    onNotice: () => {},
    onStopped: (open) => {
      openOrders = open;
    },
    onFatal: (error) => {
      throw error;
    },
  });
  driver.start();
  let receivedMicros = startMicros;
  streamMarkets(pairs, 300, (one, atMicros, text) => {
    // Each has its own millisecond: simultaneous events have no defined order, and timers have
    // millisecond resolution.
    receivedMicros = Math.max(atMicros, receivedMicros + 1_000);
    const message = decodeMarketFrame(text);
    time.at(receivedMicros, () => listeners.get(one)?.frame(text, message as BookMessage));
  });
  time.runUntil(startMicros + 301 * second);
  driver.accept({ kind: 'operator', command: 'stop', reason: 'the test is over' });
  time.runUntil(startMicros + 400 * second, () => openOrders !== undefined);
  driver.close();
  journal.close();
  expect(openOrders).toBe(0);
  return journal.path;
}

function recordedRunOf(journal: string) {
  return readRecordedRun(journal, async ({ settings }) => {
    const plugins = new Map<string, PreparedStrategy>();
    for (const one of settings.strategies)
      plugins.set(
        one.id,
        await prepareStrategy({ folder: join(root, 'strategies'), settings: one }),
      );
    return plugins;
  });
}

async function comparisonOf(journal: string) {
  return (await compareRecorded(journal, await recordedRunOf(journal), workspace)).markets;
}

test('a run without latencies and faults equals its backtest', async () => {
  const none = { kind: 'fixed', us: 0 } as const;
  const [comparison] = await comparisonOf(
    await paperRun(1, { feedUs: 0, request: none, answer: none }),
  );
  assert(comparison !== undefined, 'a run of one market has one comparison');
  const { run, difference } = comparison.totals;
  expect(run.orders).toBeGreaterThan(50);
  expect(run.fills).toBeGreaterThan(10);
  expect(comparison.differences).toEqual([]);
  expect(comparison.same).toBe(run.orders);
  expect(difference).toEqual({
    ...{ orders: 0, fills: 0, bought: '0', sold: '0', position: '0' },
    ...{ cash: '0', feeBase: '0', feeCounter: '0' },
  });
});

test('a process that handles messages late differs, order by order', async () => {
  const some = { kind: 'fixed', us: 5_000 } as const;
  const [comparison] = await comparisonOf(
    await paperRun(2, { feedUs: 5_000, request: some, answer: some }, { soonMicros: 20_000 }),
  );
  assert(comparison !== undefined, 'a run of one market has one comparison');
  const { same, matched, causes, totals } = comparison;
  const { run, backtest } = totals;
  expect(run.orders).toBeGreaterThan(50);
  expect(matched).toBeGreaterThan(run.orders / 2);
  const told = Object.values(causes).reduce((sum, count) => sum + count, 0);
  expect(told).toBe(comparison.differences.length);
  expect(run.orders).toBe(matched + causes['only-in-run']);
  expect(backtest.orders).toBe(matched + causes['only-in-backtest']);
  expect(told + same).toBe(matched + causes['only-in-run'] + causes['only-in-backtest']);
});

test('a run of two markets with latencies equals its backtest in each market', async () => {
  const some = { kind: 'fixed', us: 5_000 } as const;
  const journal = await paperRun(
    3,
    { feedUs: 5_000, request: some, answer: some },
    { isOfTwo: true },
  );
  const compared = await comparisonOf(journal);
  expect(compared.map((one) => one.pair)).toEqual(['ETHXBT', 'XBTZAR']);
  for (const { totals, same, differences } of compared) {
    expect(totals.run.fills).toBeGreaterThan(5);
    expect(differences).toEqual([]);
    expect(same).toBe(totals.run.orders);
  }
  // Makers pay no fees there.
  expect(compared.map(({ totals }) => totals.run.feeBase === '0')).toEqual([true, false]);
}, 60_000);

test('a run with lost answers equals its backtest: all other answers arrive as they did', async () => {
  const request = { kind: 'fixed', us: 5_000 } as const;
  // The longest latency exceeds the deadline.
  const samplesUs = [...Array.from({ length: 42 }, (_, index) => 1_000 * index), 5_000_000];
  const answer = { kind: 'measured', samplesUs } as const;
  const journal = await paperRun(8, { feedUs: 0, request, answer });
  expect(readFileSync(journal, 'utf8')).toContain('"kind":"no-answer"');
  const [comparison] = await comparisonOf(journal);
  expect(comparison?.totals.run.orders).toBeGreaterThan(50);
  expect(comparison?.differences).toEqual([]);
});

test('round trips are listed as the requests left, whichever answer came first', async () => {
  const some = { kind: 'fixed', us: 5_000 } as const;
  const held = 100;
  const journal = await paperRun(9, { feedUs: 0, request: some, answer: some }, { held });
  const { roundTrips } = await recordedRunOf(journal);
  const backs = roundTrips.map((trip) => trip?.backUs);
  expect(backs.length).toBeGreaterThan(100);
  expect(backs).toEqual(backs.map((_, index) => (index === held - 1 ? 1_010_000 : 10_000)));
});

test('a request without an answer was on its way as long as the one before it, or the first', async () => {
  const none = { kind: 'fixed', us: 0 } as const;
  const journal = await paperRun(10, { feedUs: 0, request: none, answer: none });
  const run = await recordedRunOf(journal);
  const roundTrips = [
    undefined,
    { thereUs: 3_000, backUs: 5_000 },
    undefined,
    // Late: the answer's content is unknown.
    { thereUs: undefined, backUs: 9_000 },
    { thereUs: 1_000, backUs: 4_000 },
    undefined,
  ];
  const { latencies } = await compareRecorded(journal, { ...run, roundTrips }, workspace);
  const there = [3_000, 3_000, 3_000, 3_000, 1_000, 1_000];
  expect(latencies.request).toEqual({ kind: 'in-order', samplesUs: there });
  const back = [2_000, 2_000, 2_000, 6_000, 3_000, 3_000];
  expect(latencies.answer).toEqual({ kind: 'in-order', samplesUs: back });
});

test('a fixed latency of requests is taken as it is, though answers are stamped in whole milliseconds', async () => {
  const request = { kind: 'fixed', us: 5_200 } as const;
  const answer = { kind: 'fixed', us: 5_300 } as const;
  const journal = await paperRun(7, { feedUs: 5_100, request, answer });
  const { markets, latencies } = await compareRecorded(
    journal,
    await recordedRunOf(journal),
    workspace,
  );
  assert(latencies.request.kind === 'in-order', 'what was measured is played in its order');
  expect(new Set(latencies.request.samplesUs)).toEqual(new Set([5_200]));
  // In the run, messages of the paper exchange itself wait for a timer of whole milliseconds.
  const [{ same, totals }] = markets as [MarketComparison];
  expect(same).toBeGreaterThan(0.9 * totals.run.orders);
});

test('the JSON of a run says which run it is, beside its totals', async () => {
  const none = { kind: 'fixed', us: 0 } as const;
  const latencies = { feedUs: 0, request: none, answer: none };
  for (const isOfTwo of [false, true]) {
    const journal = await paperRun(isOfTwo ? 5 : 4, latencies, { isOfTwo });
    const stdout = new PassThrough();
    const output = new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });
    expect(await runCompareCommand({ workspace, run: journal, home, output })).toBe(0);
    const told = JSON.parse(printed(stdout));
    expect(told.runId).toBe(isOfTwo ? '5' : '4');
    expect(told.mode).toBe('paper');
    for (const { totals } of told.markets ?? [told]) expect(totals.run).toEqual(totals.backtest);
  }
}, 60_000);

test('a strategy that was done before the run is done in its backtest', async () => {
  const none = { kind: 'fixed', us: 0 } as const;
  const latencies = { feedUs: 0, request: none, answer: none };
  const compared = await comparisonOf(
    await paperRun(19, latencies, { isOfTwo: true, done: 'mm-xbt' }),
  );
  const orders = compared.map(({ pair, totals: { run, backtest } }) => [
    ...[pair, run.orders > 0, backtest.orders > 0],
  ]);
  expect(orders).toEqual([
    ['ETHXBT', true, true],
    ['XBTZAR', false, false],
  ]);
});

test('a journal that ends before its run is compared up to its end, with a note', async () => {
  const none = { kind: 'fixed', us: 0 } as const;
  const journal = await paperRun(6, { feedUs: 0, request: none, answer: none });
  const lines = readFileSync(journal, 'utf8').split('\n');
  const notes = async (path: string): Promise<readonly string[]> => {
    const stdout = new PassThrough();
    const output = new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });
    expect(await runCompareCommand({ workspace, run: path, home, output })).toBe(0);
    return JSON.parse(printed(stdout)).notes;
  };
  expect(await notes(journal)).toEqual([]);
  const cut = join(home, 'cut.jsonl');
  writeFileSync(cut, lines.slice(0, lines.length >> 1).join('\n'));
  expect(await notes(cut)).toEqual([
    expect.stringMatching(/^the journal ends at 20.*Z, before a normal stop: /u),
  ]);
}, 60_000);

test('a run number that several bots have is refused with the paths of their journals', async () => {
  const several = join(home, 'several');
  const folder = join(several, 'journal');
  mkdirSync(folder, { recursive: true });
  const paths = ['demo', 'paper'].map((bot) => join(folder, `${bot}-20261120T120000-run1.jsonl`));
  for (const path of paths) writeFileSync(path, '');
  const output = new Output({
    workspace,
    isJson: true,
    stdout: new PassThrough(),
    stderr: new PassThrough(),
  });
  const compare = (run: string) => runCompareCommand({ workspace, run, home: several, output });
  await expect(compare('1')).rejects.toMatchObject({
    code: 'MR_CONFIG',
    message: `several bots have a run 1 in ${folder}: demo 1, paper 1; name the journal instead: ${paths.join(' or ')}`,
  });
  await expect(compare('2')).rejects.toMatchObject({
    code: 'MR_NOT_FOUND',
    message: `no run 2 in ${folder}; its runs are: demo 1, paper 1`,
  });
});
