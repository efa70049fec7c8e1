/** Faults during `millrace backtest`: the report, the text output and the exit code. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktest } from '../../src/backtest/run/run-backtest.ts';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { Recording } from '../../src/recording/file/recording.ts';
import { loadScenario } from '../../src/settings/load-scenario.ts';
import { Output } from '../../src/terminal/output.ts';
import { type Changes, minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';
import { marketOf, randomItems, severalText, writeMarket } from '../support/several-markets.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const firstWith = (name: string, changes: Changes): string =>
  writeFirst(join(folder, name), changes);

async function backtest(scenario: string, strategies = workspace.strategies) {
  const told = async (isJson: boolean) => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const code = await runBacktestCommand({
      scenario,
      graceMs: 60_000,
      workspace: { ...workspace, strategies },
      output: new Output({ workspace, isJson, stdout, stderr }),
    });
    return { code, out: printed(stdout) };
  };
  const { code, out } = await told(true);
  const value = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  const page = pageContentIn(value.report);
  return { code, value, page, text: (await told(false)).out };
}

test('a damaged recording is the first caution, with the time where the run ended', async () => {
  const scenario = firstWith('damaged', []);
  const path = join(scenario, 'recording.mrec');
  const recording = new Recording(path);
  const [, entry] = recording.index.blocks;
  recording.close();
  if (entry === undefined) throw new RangeError('there must be two blocks');
  const bytes = readFileSync(path);
  bytes.writeUInt8((bytes[entry.offset + 40] ?? 0) ^ 1, entry.offset + 40);
  writeFileSync(path, bytes);
  const { code, value, page, text } = await backtest(scenario);
  expect(code).toBe(1);
  expect(value.partial).toContain('the checksum');
  const [caution] = value.metrics.cautions;
  expect(caution).toMatch(/^partial, played up to 2026-11-20T12:\d\d:\d\d\.\d{3}Z: /u);
  expect(caution).toContain(value.partial);
  expect(text).toContain(`caution           ${caution}`);
  expect(page.markets[0]?.cautions).toEqual(value.metrics.cautions);
  expect(page.cautions).toEqual([]);
}, 60_000);

const quote = (price: string): string =>
  `({ kind: 'quote', pair, reason: 'planted', orders: [
      { level: 'bid', side: 'BID', price: ${price}, volume: 10000, postOnly: true }] })`;

test.each([
  [
    'throws',
    `() => { throw new Error('boom'); }`,
    /threw: Error: boom, at throws\/strategy\.ts:\d+/u,
  ],
  ['asks-nan', `() => ${quote('NaN')}`, /invalid-intent: .*NaN/u],
  ['asks-negative', `() => ${quote('-5')}`, /invalid-intent: .*-5/u],
  ['says-nothing', '() => undefined', /invalid-intent: .*undefined/u],
])(
  'a strategy that %s ends it with 1, partial, and reports when and why',
  async (name, emit, why) => {
    // A few invalid intents are refused; too many within a minute end the strategy.
    const run = `return context.every(2_000).pipe(rx.map(${emit}));`;
    const strategies = writePlugin(folder, name, run);
    const { code, value, page, text } = await backtest(firstWith(name, minuteOf(name)), strategies);
    expect(code).toBe(1);
    const [when = ''] = /^strategy mm-xbt stopped at 2026-11-20T12:0\d:\d\d\.\d{3}Z: /u.exec(
      value.partial,
    ) ?? [''];
    expect(when).not.toBe('');
    expect(value.partial).toMatch(why);
    // Its recording was played to the end without it.
    expect(value.metrics.cautions[0]).toBe(`partial: ${value.partial}`);
    expect(page.markets[0]?.cautions[0]).toContain(when);
    expect(text).toContain(when);
    expect(value.incidents).toEqual({ STRATEGY_STOPPED: 1 });
  },
  30_000,
);

test('a strategy whose intents end early is stopped, and the result is partial', async () => {
  const name = 'ends-early';
  const strategies = writePlugin(folder, name, 'return rx.EMPTY;');
  const { code, value } = await backtest(firstWith(name, minuteOf(name)), strategies);
  expect(code).toBe(1);
  expect(value.partial).toMatch(/^strategy mm-xbt stopped at .*: completed: /u);
}, 30_000);

test('a strategy that is done ends its orders, and the result is whole and says so', async () => {
  const name = 'is-done';
  const strategies = writePlugin(
    folder,
    name,
    `const orders = () => [{ level: 'a', side: 'BID', volume: market.lots('0.001'), postOnly: true,
      price: market.round(market.top.bid * 0.999, 'down') }];
    return rx.concat(
      context.every(1_000).pipe(
        rx.filter(() => market.top?.bid !== undefined),
        rx.take(5),
        rx.map(() => ({ kind: 'quote', pair, toleranceTicks: 0, reason: 'a bid', orders: orders() })),
      ),
      rx.of({ kind: 'done', reason: 'five quotes' }),
    );`,
  );
  const { code, value, text } = await backtest(firstWith(name, minuteOf(name)), strategies);
  expect(code).toBe(0);
  expect(value.partial).toBeUndefined();
  expect(value.done).toEqual({ 'mm-xbt': { atMs: expect.any(Number), reason: 'five quotes' } });
  expect(value).toMatchObject({ openOrdersAtExit: 0, incidents: {} });
  expect(value.orders).toBeGreaterThan(0);
  expect(text).toMatch(/^done +mm-xbt at 2026-11-20T12:0\d:\S+: five quotes$/mu);
}, 30_000);

test.each([
  ['asks-nothing', `return rx.NEVER;`, /^there were no orders: no strategy requested one$/u],
  [
    'asks-too-much',
    `return context.every(1_000).pipe(rx.map(() => ({ kind: 'quote', pair, toleranceTicks: 0,
      reason: 'much', orders: [{ level: 'a', side: 'BID', price: market.ticks('900000'),
      volume: market.lots('99'), postOnly: true }] })));`,
    /^there were no orders: the gate refused every request, with mm-xbt [A-Z_]+, /u,
  ],
])(
  'a backtest without orders reports why: %s',
  async (name, run, why) => {
    const strategies = writePlugin(folder, name, run);
    const { code, value, text } = await backtest(firstWith(name, minuteOf(name)), strategies);
    expect(code).toBe(0);
    expect(value.orders).toBe(0);
    expect(value.metrics.cautions[0]).toMatch(why);
    expect(text).toMatch(/^caution +there were no orders: /mu);
  },
  30_000,
);

test('a backtest in which the exchange refuses most orders reports the code', async () => {
  const name = 'crosses';
  const strategies = writePlugin(
    folder,
    name,
    `return context.every(5_000).pipe(rx.map((n) => ({ kind: 'place', pair, key: String(n),
      terms: { side: 'BID', price: market.top.ask, volume: market.lots('0.01'), postOnly: true },
      reason: 'meets the ask' })));`,
  );
  const { code, value, text } = await backtest(firstWith(name, minuteOf(name)), strategies);
  expect(code).toBe(0);
  const { 'would-take': refused } = value.refusals.exchange;
  expect(value.refusals.exchange).toEqual({ 'would-take': refused });
  const caution = `the exchange refused ${refused} of ${value.sending.sent} sent orders, mostly with would-take`;
  expect(value.metrics.cautions).toContain(caution);
  expect(text).toContain(`caution           ${caution}`);
}, 30_000);

test('one fill is reported in the singular', async () => {
  const name = 'takes-once';
  const strategies = writePlugin(
    folder,
    name,
    `return context.every(30_000).pipe(rx.take(1), rx.map(() => ({ kind: 'place', pair, key: 'one',
      terms: { side: 'BID', price: market.top.ask, volume: market.lots('0.001'),
        timeInForce: 'IOC' }, reason: 'once' })), rx.concatWith(rx.NEVER));`,
  );
  const taking: Changes[number] = [/\[GTC\], postOnly: required/u, '[IOC], postOnly: never'];
  const { value } = await backtest(firstWith(name, [...minuteOf(name), taking]), strategies);
  expect(value.fills).toBe(1);
  expect(value.metrics.cautions).toContain('only 1 fill: too few to distinguish skill from luck');
}, 30_000);

test('a stop that takes longer than bookAgeMax keeps mid and profit', async () => {
  const scenario = firstWith('slow', [
    [/^to: .*$/mu, 'to: "2026-11-20T12:10:30Z"'],
    [/^latencies: .*$/mu, 'latencies: { feed: "1s", request: "1s", answer: "1s" }'],
  ]);
  const { code, value, page, text } = await backtest(scenario);
  expect(code).toBe(0);
  expect(value.fills).toBeGreaterThan(0);
  const { mid, profit, metrics } = value;
  expect(mid).toMatch(/^\d+(\.5)?$/u);
  expect(metrics.trader.profit).toBe(profit);
  expect(page.markets[0]?.cards[0]?.value).toEqual({ kind: 'amount', exact: profit, unit: 'ZAR' });
  expect(text).toContain(`profit            ${profit} ZAR at a mid of ${mid}`);
}, 30_000);

test('a bot whose answers all come too late is never ready and places no order', async () => {
  const scenario = firstWith('late', [
    [/^to: .*$/mu, 'to: "2026-11-20T12:01:30Z"'],
    [/^latencies: .*$/mu, 'latencies: { feed: "2s", request: "5s", answer: "5s" }'],
  ]);
  const { value, text } = await backtest(scenario);
  expect(value).toMatchObject({ orders: 0, openOrdersAtExit: 0 });
  expect(value.metrics.cautions[0]).toMatch(/^the bot never became ready: all \d+ answers came/u);
  expect(text).toMatch(/^open at the end +0 orders$/mu);
  expect(text).toMatch(/^caution +the bot never became ready/mu);
}, 30_000);

test('with several markets, the page says once, before them, that the run is partial', async () => {
  const place = join(folder, 'several');
  const strategies = writePlugin(place, 'ends-early', 'return rx.EMPTY;');
  writeMarket(place, 'abc.mrec', marketOf('ABC'), randomItems(1, 300));
  writeMarket(place, 'xyz.mrec', marketOf('XYZ'), randomItems(2, 300));
  const lines = ['ABCEUR: { recording: abc.mrec }', 'XYZEUR: { recording: xyz.mrec }'];
  const text = severalText(lines)
    .replace('plugin: quotes-and-hedges', 'plugin: ends-early')
    .replace(/parameters: .*/u, 'parameters: {}');
  writeFileSync(join(place, 'scenario.yaml'), text);
  const { code, value, page } = await backtest(place, strategies);
  expect(code).toBe(1);
  const [caution] = value.metrics.ABCEUR.cautions;
  expect(caution).toContain('strategy both stopped at ');
  expect(value.metrics.XYZEUR.cautions[0]).toBe(caution);
  expect(page.cautions[0]).toBe(caution);
  for (const { cautions } of page.markets) expect(cautions).not.toContain(caution);
}, 30_000);

test('a strategy whose timers have no consequences is not taken for one that hangs', async () => {
  const place = join(folder, 'only-computes');
  const run = 'return context.every(1_000).pipe(rx.filter(() => false));';
  const strategiesFolder = writePlugin(place, 'computes', run);
  const scenario = loadScenario(join(writeFirst(place, minuteOf('computes')), 'scenario.yaml'));
  const beats: number[] = [];
  const onHeartbeat = (nowMicros: number) => beats.push(nowMicros);
  await runBacktest({ scenario, dataFolder: place, strategiesFolder, onHeartbeat });
  expect(new Set(beats.map((micros) => Math.floor(micros / 1e6))).size).toBeGreaterThan(55);
}, 30_000);
