/** The verbs of recordings from the outside: what they refuse, what they say, what they leave. */

import { spawnSync } from 'node:child_process';
import { existsSync, linkSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { runCompileCommand, runImportCommand } from '../../src/cli/commands/compile-command.ts';
import { runExportCommand } from '../../src/cli/commands/export-command.ts';
import { runRecordCommand, withAdvice } from '../../src/cli/commands/record-command.ts';
import { runVerifyCommand } from '../../src/cli/commands/verify-command.ts';
import { NotSentError } from '../../src/domain/errors.ts';
import { exitCodeOf } from '../../src/terminal/exit-code.ts';
import { Output } from '../../src/terminal/output.ts';
import { writeCapture } from '../support/capture-file.ts';
import { workspace } from '../support/package-root.ts';
import { printed } from '../support/printed.ts';

const folder = mkdtempSync(join(tmpdir(), 'millrace-recordings-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (name: string): string => join(folder, name);
const startMs = 1_675_733_400_000;

/** Runs a verb as the command line does. */
async function run(verb: (output: Output) => Promise<number>, isJson = true) {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const output = new Output({ workspace, isJson, stdout, stderr });
  const code = await verb(output).catch((error: unknown) => {
    output.problem(error);
    return exitCodeOf(error);
  });
  return { code, out: printed(stdout), problems: printed(stderr) };
}

const compile = (captures: readonly string[], out: string, isJson = true) =>
  run((output) => runCompileCommand({ captures, pair: undefined, out, output }), isJson);

const importCsv = (format: string, path: string, out: string, isJson = true) =>
  run((output) => {
    const scales = { priceScale: undefined, volumeScale: undefined };
    return runImportCommand({ format, path, market: 'ABC/EUR', ...scales, out, output });
  }, isJson);

const exportTo = (source: string, out: string) =>
  run((output) => runExportCommand({ source, out, format: 'csv', output }));

const anExchange = (baseUrl: string) => ({
  ...{ name: 'venue', baseUrl, streamUrl: 'ws://127.0.0.1:1', paths: {}, userStreamPath: '' },
});

test('an unreachable exchange is reported with advice, another error unchanged', () => {
  const refused = new NotSentError('markets was not sent: ECONNREFUSED');
  const near = String(withAdvice(refused, anExchange('http://127.0.0.1:7400'), workspace));
  expect(near).toMatch(/at http:\/\/127\.0\.0\.1:7400: .*ECONNREFUSED; /u);
  expect(near).toContain(
    '; to start one: npm run --silent millrace -- exchange ; or choose another',
  );
  const far = String(withAdvice(refused, anExchange('https://api.example.com'), workspace));
  expect(far).toMatch(/ECONNREFUSED; choose another with --venue/u);
  const other = new Error('other');
  expect(withAdvice(other, anExchange('http://127.0.0.1:7400'), workspace)).toBe(other);
});

test('of several files each is told, also beside one that is not there', async () => {
  const [good, gone, bad] = [pathOf('good.cap'), pathOf('gone.cap'), pathOf('bad.cap')];
  writeCapture(good, startMs, 2);
  writeFileSync(bad, 'no capture');
  const several = (isJson: boolean, ...paths: readonly string[]) =>
    run(async (output) => runVerifyCommand(paths, output), isJson);
  const { code, out, problems } = await several(true, gone, good, bad);
  expect(code).toBe(4);
  expect(problems).toContain(`${gone} does not exist`);
  const told = JSON.parse(out);
  expect(told).toMatchObject({ good: false, missing: [gone] });
  expect(told.files).toMatchObject([
    { path: good, isGood: true },
    { path: bad, isGood: false },
  ]);
  expect((await several(false, good, gone)).out).toContain(`good capture ${good}`);
  expect((await several(true, good, bad)).code).toBe(1);
});

const verify = (path: string, isJson = true) =>
  run(async (output) => runVerifyCommand([path], output), isJson);

describe('an output', () => {
  const [first, second, linked] = [pathOf('a.cap'), pathOf('b.cap'), pathOf('linked')];
  /** What a killed writer of day.mrec has left, which the next one removes. */
  const halfWay = pathOf('day.mrec.999999999.partial');
  const [recording, table, trades] = [pathOf('old.mrec'), pathOf('table.csv'), pathOf('x.csv')];
  beforeEach(async () => {
    for (const path of [recording, table, linked]) rmSync(path, { force: true });
    writeCapture(first, startMs, 2);
    writeCapture(halfWay, startMs, 2);
    writeCapture(second, startMs + 10_000, 2);
    writeFileSync(trades, 'price,volume,side,time_us\n10,1,buy,1675733400000000\n');
    expect((await compile([first], recording)).code).toBe(0);
    expect((await exportTo(recording, table)).code).toBe(0);
  });

  type Case = readonly [what: string, lost: string, run: () => ReturnType<typeof run>];
  test.each<Case>([
    ['a capture of a pattern', first, () => compile([second], first)],
    ['the capture that is compiled', first, () => compile([first], first)],
    ['what would be removed first', halfWay, () => compile([halfWay], pathOf('day.mrec'))],
    ['its hard link', linked, () => compile([first], linked)],
    ['what is imported', trades, () => importCsv('csv-trades', trades, trades)],
    ['another table', table, () => importCsv('csv-trades', trades, table)],
    ['what is exported', recording, () => exportTo(recording, recording)],
    ['a table that no export wrote', trades, () => exportTo(recording, trades)],
    ['a folder', folder, () => compile([first], folder)],
  ])('that is %s is refused, and nothing is lost', async (_, lost, refused) => {
    linkSync(first, linked);
    const before = lost === folder ? undefined : readFileSync(lost);
    const { code, out, problems } = await refused();
    expect([code, out]).toEqual([2, '']);
    expect(problems).toMatch(/^millrace: -o \S+ (?:exists|would).*give .*\(MR_CONFIG\)\n$/u);
    expect(problems).toContain(lost);
    if (before !== undefined) expect(readFileSync(lost)).toEqual(before);
  });

  test('names both files, and what a pattern does', async () => {
    const { problems } = await compile([second], first);
    expect(problems).toContain(`${first} exists and is a capture`);
    expect(problems).toContain(`made from ${second} would overwrite it`);
    expect(problems).toContain('-o *.cap');
  });

  test('is written over an older one of its kind, or over nothing', async () => {
    expect((await compile([first, second], recording)).code).toBe(0);
    const longer = await exportTo(recording, table);
    expect(JSON.parse(longer.out)).toMatchObject({ rows: 10 });
    const empty = pathOf('empty.mrec');
    writeFileSync(empty, '');
    expect((await compile([first], empty)).code).toBe(0);
  });
});

test('a pair that is given twice is not recorded', async () => {
  const pairs = ['XBTZAR', 'ETHZAR', 'XBTZAR'];
  const captures = pathOf('captures');
  const { code, problems } = await run((output) =>
    runRecordCommand({ workspace, pairs, venue: 'simulator', folder: captures, forMs: 1, output }),
  );
  expect(code).toBe(2);
  expect(problems).toMatch(/pair XBTZAR is given twice.*once \(MR_CONFIG\)\n$/u);
  expect(existsSync(captures)).toBe(false);
});

test('resting orders that have no time are not left out of a table: it is refused', async () => {
  const [quiet, recording, table] = [pathOf('quiet.csv'), pathOf('quiet.mrec'), pathOf('out.csv')];
  const columns = 'time_us,action,order_id,side,price,volume,taker_id,end';
  const lines = [
    '1675733400000000,resting,a,bid,10,1,,1',
    '1675733400000000,resting,b,ask,11,1,,1',
  ];
  writeFileSync(quiet, `${[columns, ...lines].join('\n')}\n`);
  expect((await importCsv('csv', quiet, recording)).code).toBe(0);
  const { code, problems } = await exportTo(recording, table);
  expect(code).toBe(1);
  expect(problems).toContain(`${recording}: has 2 resting orders but no rows`);
  expect(existsSync(table)).toBe(false);
});

describe('what a file covers', () => {
  test('is said of captures and of what is compiled of them', async () => {
    const [capture, recording] = [pathOf('covered.cap'), pathOf('covered.mrec')];
    writeCapture(capture, startMs, 3);
    const covered = {
      ...{ pair: 'ABCEUR', grade: 'order', priceScale: 2, volumeScale: 0, resting: 1 },
      ...{ first: '2023-02-07T01:30:01.000Z', last: '2023-02-07T01:30:03.000Z' },
    };
    expect(JSON.parse((await compile([capture], recording)).out)).toMatchObject(covered);
    const { files } = JSON.parse((await verify(recording)).out);
    expect(files).toMatchObject([{ isGood: true, warnings: [], figures: covered }]);
    const { out } = await verify(capture, false);
    expect(out).toContain('first 2023-02-07T01:30:00.000Z, last 2023-02-07T01:30:03.000Z');
    expect((await compile([capture], recording, false)).out).toMatch(/^resting +1$/mu);
  });

  test('is said to have no times without rows', async () => {
    const [nothing, recording] = [pathOf('none.csv'), pathOf('none.mrec')];
    const columns = 'time_us,action,order_id,side,price,volume';
    writeFileSync(nothing, `${columns}\n1675733400000000,resting,A,bid,10,1\n`);
    const { out } = await importCsv('csv', nothing, recording);
    expect(JSON.parse(out)).toMatchObject({ first: null, last: null, resting: 1 });
    expect((await verify(recording, false)).out).toContain('first none, last none');
  });

  test('counts missing candles, and names the longest hole', async () => {
    const [table, recording] = [pathOf('candles.csv'), pathOf('candles.mrec')];
    const begins = [0, 60, 120, 300, 360, 900, 960].map((seconds) => 1_704_067_200 + seconds);
    const lines = begins.map((at) => `${at * 1_000},10,11,9,10,1`);
    writeFileSync(table, `time_ms,open,high,low,close,volume\n${lines.join('\n')}\n`);
    const { out } = await importCsv('csv-candles', table, recording);
    const longestHole = 'from 2024-01-01T00:07:00.000Z to 2024-01-01T00:15:00.000Z';
    const found = { candleSeconds: 60, missingCandles: 10, holes: 2, longestHole };
    expect(JSON.parse(out)).toMatchObject(found);
    const people = (await importCsv('csv-candles', table, recording, false)).out;
    expect(people).toContain(
      `! 10 candles of 60 s are missing in 2 holes, the longest ${longestHole}`,
    );
  });

  test('is doubted if it begins before 2000: seconds in a column of milliseconds', async () => {
    const [seconds, recording] = [pathOf('seconds.csv'), pathOf('seconds.mrec')];
    writeFileSync(seconds, 'time_ms,price,volume,side\n1675733400,10,1,buy\n');
    const doubt = 'the first time is 1970-01-20T09:28:53.400Z: is the time column in the unit';
    const { code, out } = await importCsv('csv-trades', seconds, recording, false);
    expect(code).toBe(0);
    expect(out).toContain(`! ${doubt}`);
    const { code: verified, out: told } = await verify(recording);
    expect(verified).toBe(0);
    expect(JSON.parse(told).files[0].warnings).toEqual([expect.stringContaining(doubt)]);
    expect((await verify(recording, false)).out).toContain(`   ? ${recording}: ${doubt}`);
  });
});

test.runIf(process.platform === 'linux')(
  'a place that takes no captures is told at once',
  () => {
    const main = join(import.meta.dirname, '../../src/main.ts');
    const line = [main, 'record', 'XBTZAR', '--out', '/proc/no-such/captures', '--for', '1s'];
    const run = spawnSync(process.execPath, line, {
      timeout: 20_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    expect(run.status).toBe(1);
    expect(run.stderr).toMatch(
      /^millrace: folder \/proc\/no-such\/captures cannot be created: E.*\(MR_STORE\)\n$/u,
    );
  },
  30_000,
);
