/** The result of a backtest as tables for other programs. */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { csvOf, type resultTables } from '../../src/backtest/report/result-tables.ts';
import { runBacktestCommand } from '../../src/cli/commands/backtest-command.ts';
import { runExportCommand } from '../../src/cli/commands/export-command.ts';
import { Output } from '../../src/terminal/output.ts';
import { minuteOf, writeFirst } from '../support/first-scenario.ts';
import { workspace } from '../support/package-root.ts';
import { writePlugin } from '../support/planted-plugin.ts';
import { printed } from '../support/printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-export-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const outputOf = (stdout: PassThrough) =>
  new Output({ workspace, isJson: true, stdout, stderr: new PassThrough() });

let source = '';
beforeAll(async () => {
  const name = 'tags-and-plots';
  const strategies = writePlugin(
    folder,
    name,
    `return context.every(5_000).pipe(rx.filter(() => market.top?.bid !== undefined), rx.map(() => {
      const { bid } = market.top;
      market.plot('bid of now', bid);
      const price = market.round(bid * 0.999, 'down');
      const volume = market.lots('0.001');
      const order = { level: 'a', tag: 'low', side: 'BID', price, volume, postOnly: true };
      return { kind: 'quote', pair, orders: [order], reason: 'low, "very" low' };
    }));`,
  );
  const scenario = writeFirst(join(folder, name), minuteOf(name));
  const stdout = new PassThrough();
  const output = outputOf(stdout);
  const place = { ...workspace, strategies };
  await runBacktestCommand({ scenario, graceMs: 60_000, workspace: place, output });
  source = JSON.parse(printed(stdout).trimEnd().split('\n').at(-1) ?? '').results;
}, 60_000);

/** The lines of an exported table. */
async function linesOf(table: (typeof resultTables)[number], ending = 'csv') {
  const out = join(folder, `${table}.${ending}`);
  const output = outputOf(new PassThrough());
  expect(await runExportCommand({ source, table, out, format: undefined, output })).toBe(0);
  const bytes = readFileSync(out);
  return (ending === 'csv' ? bytes : gunzipSync(bytes)).toString().trimEnd().split('\n');
}

describe('a result is exported', () => {
  test('as its orders, with reason and tag', async () => {
    const value = JSON.parse(readFileSync(source, 'utf8'));
    const [titles = '', first = '', ...others] = await linesOf('orders');
    expect(titles).toMatch(/^pair,intentId,strategyId,key,level,tag,side,price,volume,/u);
    expect(others).toHaveLength(value.orderRows.length - 1);
    expect(value.orderRows.length).toBeGreaterThan(2);
    expect(first).toMatch(/^XBTZAR,1,mm-xbt,a\.1,a,low,BID,\d+,0\.001000,GTC,true,/u);
    expect(first).toContain(',"low, ""very"" low",');
  });

  test('as series, profit over time and figures by tag, also compressed', async () => {
    const value = JSON.parse(readFileSync(source, 'utf8'));
    const [titles, ...series] = await linesOf('series', 'csv.gz');
    expect(titles).toBe('pair,strategyId,kind,name,pane,timeMs,value');
    const [{ timesMs, values }] = value.series;
    expect(series).toHaveLength(timesMs.length);
    expect(series[0]).toBe(`XBTZAR,mm-xbt,plot,bid of now,,${timesMs[0]},${values[0]}`);
    expect((await linesOf('equity'))[0]).toBe('pair,timeMs,profit');
    const [tagTitles, low] = await linesOf('tags');
    expect(tagTitles).toBe(
      'pair,tag,orders,fills,makerFills,volume,turnover,fees.base,fees.counter,profit',
    );
    expect(low).toMatch(new RegExp(`^XBTZAR,low,${value.orderRows.length},`, 'u'));
  });

  test('but not as Parquet, over itself, or as a table of a recording', async () => {
    const output = outputOf(new PassThrough());
    const run = (out: string, from = source) =>
      runExportCommand({ source: from, table: 'tags', out, format: undefined, output });
    await expect(run(join(folder, 'x.parquet'))).rejects.toThrow(
      /name the file \.csv or \.csv\.gz/u,
    );
    const recording = join(folder, 'tags-and-plots', 'recording.mrec');
    await expect(run(join(folder, 'x.csv'), recording)).rejects.toThrow(
      /--table tags needs the JSON file of a backtest's result, which .* is not/u,
    );
    await expect(runExportCommand({ source, out: source, format: 'csv', output })).rejects.toThrow(
      /overwrite its own input/u,
    );
  });
});

test('a line has a cell for each title, and what a row lacks is empty', () => {
  const rows = [
    { pair: 'A', x: 1 },
    { pair: 'B', y: 'a\nb' },
    { pair: 'C', x: null },
  ];
  expect([...csvOf(rows)].join('')).toBe('pair,x,y\nA,1,\nB,,"a\nb"\nC,,\n');
  expect([...csvOf([])].join('')).toBe('pair\n');
});
