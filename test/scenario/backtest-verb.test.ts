/** `millrace backtest` from the outside: its output, its result files and its exit code. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { exitCodeOf } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { scenarioText, smallSet, writeScenario } from '../support/backtest-scenario.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { figuresIn, pageContentIn } from '../support/page-content.ts';
import { writeClockReader, writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';
import { writeRecordedSet } from '../support/recorded-set.ts';
import { marketOf, randomItems, severalText, writeMarket } from '../support/several-markets.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-verb-'));
  writeRecordedSet(folder, { name: smallSet, seed: 7, actions: 300 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Way = { readonly isJson?: boolean; readonly data?: string; readonly strategies?: string };

async function backtest(scenario: string, { isJson = false, data = folder, ...way }: Way = {}) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson, stdout, stderr });
  let code: number;
  try {
    code = await runBacktestCommand({
      scenario,
      graceMs: 60_000,
      workspace: { ...workspace, data, ...way },
      output,
    });
  } catch (error) {
    output.problem(error);
    code = exitCodeOf(error);
  }
  return { code, out: printed(stdout), problems: printed(stderr) };
}

test('its last line is one JSON object that equals the result file', async () => {
  const { code, out } = await backtest(writeScenario(folder), { isJson: true });
  expect(code).toBe(0);
  const lines = out.trimEnd().split('\n');
  const { wallSeconds, rowsPerSecond, results, report, ...told } = JSON.parse(lines.at(-1) ?? '');
  expect(lines.length).toBe(1);
  expect(wallSeconds).toBeGreaterThan(0);
  expect(rowsPerSecond).toBeGreaterThan(0);
  expect(told.fills).toBeGreaterThan(0);
  expect(told.hash).toMatch(/^[0-9a-f]{64}$/u);
  const { orderRows, fillRows, ...written } = JSON.parse(readFileSync(results, 'utf8'));
  expect(written).toEqual(told);
  expect(orderRows.length).toBe(told.orders);
  expect(fillRows.length).toBe(told.fills);
});

test('its report is one self-contained page with the same figures', async () => {
  // The recording ends with both sides in the book, so that the position can be valued.
  const data = join(folder, 'two-sided');
  writeRecordedSet(data, { name: smallSet, seed: 2, actions: 600 });
  const { out } = await backtest(writeScenario(folder), { isJson: true, data });
  const { report, profit, metrics, fills, orders } = JSON.parse(out);
  const page = pageContentIn(report);
  expect(JSON.stringify(page)).not.toMatch(/NaN|undefined/u);
  const [market] = page.markets;
  const trader = figuresIn(market?.tables ?? [], 'Trader');
  expect(trader['Profit']).toBe(profit);
  expect(trader['Turnover']).toBe(metrics.trader.turnover);
  expect(market?.cards[0]?.value).toEqual({ kind: 'amount', exact: profit, unit: 'EUR' });
  // The exchange's account and the bot's fills have the same value.
  expect(metrics.trader.profit).toBe(profit);
  const { spreadCaptured, fees, inventory } = metrics.maker;
  const parts = [spreadCaptured, `-${fees}`.replace('--', ''), inventory].map(decimalOf);
  const total = parts.reduce((sum, part) => sum.plus(part));
  expect(total.toFixed()).toBe(decimalOf(profit).toFixed());
  expect(metrics.maker.markouts[0].fills).toBeGreaterThan(0);
  expect(market?.marks.fills.atMs.length).toBe(fills);
  expect(market?.marks.orders.all).toBe(orders);
});

test('its page loads nothing', async () => {
  const { out } = await backtest(writeScenario(folder), { isJson: true });
  const { report } = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  const page = readFileSync(report, 'utf8');
  const policy = /http-equiv="Content-Security-Policy" content="(?<policy>[^"]*)"/u.exec(page);
  expect(policy?.groups?.['policy']).toContain("default-src 'none'");
  expect(page).not.toMatch(/<(?:link|script|img|iframe)\b[^>]* (?:src|href)="(?!data:)/u);
});

test('with several strategies it reports each, and their sum is the total', async () => {
  const text = scenarioText();
  const [one = ''] = / {2}mm:\n(?: {4}.*\n)+/u.exec(text) ?? [];
  const other = one.replace('  mm:', '  far:').replace('halfSpread: "1bps"', 'halfSpread: "3bps"');
  const path = writeScenario(folder, text.replace(one, `${one}${other}`));
  const { out } = await backtest(path, { isJson: true });
  const { strategies, report, ...result } = JSON.parse(out.trimEnd().split('\n').at(-1) ?? '');
  expect(strategies.map(({ strategy }: { strategy: string }) => strategy)).toEqual(['far', 'mm']);
  for (const name of ['fills', 'position', 'cash', 'profit']) {
    const parts: string[] = strategies.map((each: Record<string, string>) => String(each[name]));
    expect(parts.every((part) => part !== '0')).toBe(true);
    const total = parts.reduce((sum, part) => sum.plus(decimalOf(part)), decimalOf('0'));
    expect([name, total.toFixed()]).toEqual([name, decimalOf(String(result[name])).toFixed()]);
  }
  expect(figuresIn(pageContentIn(report).tables, 'Strategies')).toEqual(
    Object.fromEntries(
      strategies.map((one: Record<string, string>) => [`${one['strategy']} ABCEUR`, one['profit']]),
    ),
  );
  const { out: told } = await backtest(path);
  expect(told).toMatch(/^strategy +mm ABCEUR: profit -?[\d.]+ EUR after fees of /mu);
});

test('G6: a plugin that reads the clock ends it with 1 and names the place', async () => {
  const { hash } = JSON.parse((await backtest(writeScenario(folder), { isJson: true })).out);
  const strategies = writeClockReader(folder);
  const read = await backtest(writeScenario(folder), { isJson: true, strategies });
  expect(read.code).toBe(1);
  expect(JSON.parse(read.out)).toMatchObject({ hash, ambient: [{ what: 'Date.now' }] });
  expect(read.problems).toMatch(/strategy\.ts:\d+ calls Date\.now: a replay cannot repeat/u);
});

test.each([
  ['dice', 'const seed = Math.floor(Math.random() * 50);', 'seed', ['Math.random']],
  ['clock', 'const began = Date.now();', 'began', ['Date.now']],
  ['environment', `const much = process.env['MUCH'];`, 'much', ['process.env']],
  ['kept-dice', 'const roll = Math.random.bind(Math);', 'roll()', ['Math.random']],
])(
  'a plugin that reads while it is loaded ends it with 1: %s',
  async (name, loading, use, whats) => {
    const run = `return context.every(20_000).pipe(
    rx.map(() => ({ kind: 'idle', pair, reason: String(${use}) })));`;
    const strategies = writePlugin(folder, name, run, loading);
    const scenario = writeFirst(join(folder, name), minuteOf(name));
    const { code, out } = await backtest(scenario, { isJson: true, strategies });
    const { ambient } = JSON.parse(out) as { ambient: readonly { what: string }[] };
    expect(ambient.map(({ what }) => what)).toEqual(whats);
    expect(code).toBe(1);
  },
);

test('with several markets, it reports each and the totals of the account', async () => {
  const place = join(folder, 'several');
  mkdirSync(place);
  writeMarket(place, 'abc.mrec', marketOf('ABC'), randomItems(1, 900));
  writeMarket(place, 'xyz.mrec', marketOf('XYZ'), randomItems(2, 900));
  const lines = ['ABCEUR: { recording: abc.mrec }', 'XYZEUR: { recording: xyz.mrec }'];
  const scenario = writeScenario(place, severalText(lines));
  const strategies = join(import.meta.dirname, '../fixtures/strategies');
  const { code, out } = await backtest(scenario, { isJson: true, strategies });
  expect(code).toBe(0);
  const { markets, metrics, account, report, fills, profit } = JSON.parse(out);
  expect(markets.map(({ pair }: { pair: string }) => pair)).toEqual(['ABCEUR', 'XYZEUR']);
  for (const { pair, profit: part } of markets) expect(metrics[pair].trader.profit).toBe(part);
  expect(account).toMatchObject({ currency: 'EUR', profit });
  expect(decimalOf(account.drawdownMax).greaterThan(0)).toBe(true);
  const page = pageContentIn(report);
  expect(page.markets.map(({ pair }) => pair)).toEqual(['ABCEUR', 'XYZEUR']);
  expect(page.markets.reduce((sum, { marks }) => sum + marks.fills.atMs.length, 0)).toBe(fills);
  expect(page.chart?.panes.map(({ title }) => title)).toEqual(['Profit', 'Drawdown']);
  expect(page.cards[0]?.value.exact).toBe(profit);

  const table = await backtest(scenario, { strategies });
  for (const { pair, rows } of markets) expect(table.out).toContain(`${pair}: ${rows} rows`);
  expect(table.out).toMatch(/^at the exchange +\d+ fills, difference 0 ABC, 0 EUR, 0 XYZ$/mu);
}, 60_000);

test('text output is a table', async () => {
  const { code, out } = await backtest(writeScenario(folder));
  expect(code).toBe(0);
  for (const name of ['fills', 'position', 'profit', 'history conflicts', 'hash'])
    expect(out).toMatch(new RegExp(`^${name} +\\S`, 'mu'));
});

test('a missing recording ends with 4 and says what to do', async () => {
  const elsewhere = join(folder, 'elsewhere');
  const { code, problems } = await backtest(writeScenario(folder), { data: elsewhere });
  expect(code).toBe(4);
  expect(problems).toContain(join(elsewhere, smallSet, 'snapshot.json.gz'));
  expect(problems).toContain('MILLRACE_DATA');
});

test('a results folder that cannot be created ends it before it begins', async () => {
  const place = join(folder, 'taken');
  mkdirSync(place);
  const scenario = writeScenario(place);
  writeFileSync(join(place, 'results'), 'a file in place of the folder');
  const { code, out, problems } = await backtest(scenario, { data: join(folder, 'elsewhere') });
  expect([code, out]).toEqual([1, '']);
  expect(problems).toMatch(/folder .*results cannot be created: EEXIST.*\(MR_STORE\)\n$/u);
});

test.each(['json', 'html'])('a %s that cannot be written loses no figures', async (ending) => {
  const place = join(folder, `blocked-${ending}`);
  mkdirSync(place);
  const scenario = writeScenario(place);
  const { results, ...told } = JSON.parse((await backtest(scenario, { isJson: true })).out);
  const blocked = results.replace(/json$/u, ending);
  const whole = readdirSync(join(place, 'results')).sort();
  expect(whole.length).toBe(2);
  rmSync(blocked);
  mkdirSync(blocked);
  const { code, out, problems } = await backtest(scenario, { isJson: true });
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ hash: told.hash, profit: told.profit });
  expect(problems).toContain(`millrace: ${blocked} cannot be written: EISDIR`);
  expect(problems).toMatch(/\(MR_STORE\)\n$/u);
  expect(readdirSync(join(place, 'results')).sort()).toEqual(whole);
});

test('a missing scenario ends with 4 and names the existing ones', async () => {
  const { code, problems } = await backtest('no-such');
  expect(code).toBe(4);
  expect(problems).toContain('sse-600519');
  expect((await backtest(join(folder, 'no-such.yaml'))).code).toBe(4);
});

test.each([
  ['scenario: small', 'scenary: small', /scenario\.yaml:2:1: scenary/u],
  ['maker: "5bps"', 'maker: 0.0007', /fees\.maker/u],
  ['ABC: "500", ', '', /lacks ABC/u],
  ['halfSpread: "1bps"', 'halfSpread: "wide"', /halfSpread/u],
  ['plugin: simple-mm', 'plugin: simple-m', /simple-m\b/u],
])('%j -> %j ends with 2 and names the place', async (from, to, told) => {
  const text = scenarioText();
  expect(text).toContain(from);
  const { code, problems } = await backtest(writeScenario(folder, text.replace(from, to)));
  expect(problems).toMatch(told);
  expect(code).toBe(2);
});
