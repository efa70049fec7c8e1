/** `millrace compare A B`: two results of backtests, their differences, and results it refuses. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ComparisonPageData, PageTable } from '../../src/backtest/report/page-data.ts';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runCompareResults } from '../../src/cli/commands/compare-results-command.ts';
import { isResultName } from '../../src/cli/result-page.ts';
import { decimalOf } from '../../src/domain/money.ts';
import { exitCodeOf } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { scenarioText, smallSet, writeScenario } from '../support/backtest-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { pageContentIn } from '../support/page-content.ts';
import { printed } from '../support/printed.ts';
import { writeRecordedSet } from '../support/recorded-set.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-compare-results-'));
const data = join(folder, 'data');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

type Result = { readonly hash: string; readonly results: string; readonly report: string };
let near: Result & { readonly profit: string };
let far: typeof near;

beforeAll(async () => {
  mkdirSync(data);
  writeRecordedSet(data, { name: smallSet, seed: 2, actions: 600 });
  near = await backtest('near', scenarioText());
  far = await backtest('far', scenarioText().replace('"1bps"', '"3bps"'));
});

async function backtest(name: string, text: string): Promise<typeof near> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const place = join(folder, name);
  mkdirSync(place);
  await runBacktestCommand({
    scenario: writeScenario(place, text),
    graceMs: 60_000,
    workspace: { ...workspace, data },
    output: new Output({ workspace, isJson: true, stdout, stderr }),
  });
  return JSON.parse(printed(stdout));
}

async function compare(a: string, b: string, isJson = true) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson, stdout, stderr });
  let code: number;
  try {
    code = await runCompareResults({ a, b, workspace, output });
  } catch (error) {
    output.problem(error);
    code = exitCodeOf(error);
  }
  return { code, out: printed(stdout), problems: printed(stderr) };
}

test('the differences are those of the figures, and the page has both results', async () => {
  const { code, out } = await compare(near.report, far.results);
  expect(code).toBe(0);
  const { tables, report, a, b } = JSON.parse(out);
  expect([a.hash, b.hash]).toEqual([near.hash, far.hash]);
  const trader = (tables as PageTable[]).find(({ title }) => title === 'Trader');
  const [profit] = trader?.rows ?? [];
  const difference = decimalOf(far.profit).minus(decimalOf(near.profit)).toFixed();
  expect(profit?.values.map(({ exact }) => exact)).toEqual([near.profit, far.profit, difference]);
  const page = pageContentIn<ComparisonPageData>(report);
  expect(page.tables).toEqual(tables);
  expect([page.a.hash, page.b.hash]).toEqual([near.hash, far.hash]);
  expect(page.overlays.map(({ title }) => title)).toEqual(['ABCEUR']);
  expect(page.tables[0]).toMatchObject({
    title: 'Settings that differ',
    rows: expect.arrayContaining([
      expect.objectContaining({ name: expect.stringMatching(/halfSpread$/u) }),
    ]),
  });
});

test('the terminal shows only what differs', async () => {
  const { out } = await compare(near.report, far.report, false);
  expect(out).toMatch(/^A {2}\S+ [0-9a-f]{16}, /mu);
  expect(out).toMatch(new RegExp(`^Profit +${near.profit} EUR +${far.profit} EUR `, 'mu'));
  expect(out).toMatch(/^Fees per turnover( +-?[\d.]+ bps){3}$/mu);
  expect(out).toMatch(/^Profit, share of start value( +-?[\d.]+ %){3}$/mu);
  const same = await compare(near.report, near.report, false);
  expect(same.out).toContain('both are the same result');
  expect(same.out).not.toMatch(/^Profit/mu);
});

test('a recording that is gone is said, and the comparison is made', async () => {
  const copy = join(folder, 'gone.html');
  const text = readFileSync(near.report, 'utf8');
  writeFileSync(
    copy,
    text.replace(/"recordings":\[\{"path":"[^"]*"/u, '"recordings":[{"path":"/gone/day.mrec"'),
  );
  const { code, out } = await compare(copy, far.report);
  expect(code).toBe(0);
  expect(JSON.parse(out).notes).toContain(
    'the recording /gone/day.mrec of A is gone, so A cannot be run again',
  );
});

describe('it refuses', () => {
  const changed = (name: string, change: (text: string) => string): string => {
    const path = join(folder, name);
    writeFileSync(path, change(readFileSync(near.report, 'utf8')));
    return path;
  };

  test('a result that is not there', async () => {
    const { code, problems } = await compare(join(folder, 'none.html'), far.report);
    expect(code).toBe(4);
    expect(problems).toMatch(/there is no result \S+none\.html; name a page/u);
  });

  test('a result without its page', async () => {
    const path = join(folder, 'alone.json');
    writeFileSync(path, '{}');
    const { code, problems } = await compare(near.report, path);
    expect(code).toBe(4);
    expect(problems).toMatch(/alone\.json has no page \S+alone\.html beside it/u);
  });

  test.each([
    [
      'another format',
      (text: string) =>
        text.replace(/"format":\d+,"program":"[^"]*"/u, '"format":99,"program":"9.9.9"'),
      /was written by Millrace 9\.9\.9 in format 99, but this version reads format \d+; run its/u,
    ],
    ['a page without data', () => '<!doctype html><title>old</title>', /holds no data/u],
    [
      'damaged data',
      (text: string) => text.replace('"page":"backtest"', '"page":"back'),
      /is damaged: its data are no JSON/u,
    ],
    [
      'another page',
      (text: string) => text.replace('"page":"backtest"', '"page":"comparison"'),
      /shows a comparison, not a backtest/u,
    ],
  ])('%s', async (name, change, said) => {
    const { code, problems } = await compare(near.report, changed(`${name}.html`, change));
    expect(code).toBe(2);
    expect(problems).toMatch(said);
  });
});

test('results are known by the ends of their names', () => {
  expect(['x.html', 'a/b.json', 'run.jsonl', '3', 'bot.yaml'].filter(isResultName)).toEqual([
    ...['x.html', 'a/b.json'],
  ]);
});
