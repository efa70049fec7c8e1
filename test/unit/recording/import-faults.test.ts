/** Errors for tables that cannot be imported: they name the fault and the fix. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-import-faults-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const given = { base: 'ES', counter: 'USD', priceScale: undefined, volumeScale: undefined };

async function counts(format: string, path: string, options = {}) {
  const source = await openImport({ ...given, ...options, format, path });
  return (await writeRecording(source, join(folder, 'out.mrec'))).index.counts;
}

async function failure(content: string | Buffer, options = {}): Promise<string> {
  const path = join(folder, 'data.csv');
  writeFileSync(path, content);
  return counts('csv-trades', path, options).then(
    () => 'imported',
    (error: Error) => error.message.replace(path, 'FILE'),
  );
}

describe('a time', () => {
  const micros = '1700000000000000';
  test.each([
    [
      'time_us',
      `${micros}000`,
      'too large for microseconds; for nanoseconds, name the column time_ns',
    ],
    ['time_ms', micros, 'too large for milliseconds; for microseconds, name the column time_us'],
    [
      'time_ms',
      `${micros}000`,
      'too large for milliseconds; for nanoseconds, name the column time_ns',
    ],
    ['time_us', `${2 ** 53}`, 'before the year 2255: it is too large for microseconds; was'],
    ['time_us', '9'.repeat(20), 'before the year 2255: it is too large for microseconds; was'],
    ['time_ns', `${2 ** 53}000`, 'before the year 2255: it is too large for nanoseconds; was'],
    ['time_us', '2026-11-20T08:00:00Z', 'time columns are time_us, time_ms, time_ns; was "2026'],
    ['time_us', '', 'time_us must be an integer since the epoch'],
    ['time_us', '1.5', 'time_us must be an integer since the epoch'],
  ])('%s of %s is refused: %s', async (column, time, expected) => {
    const message = await failure(`${column},price,volume,side\n${time},10,1,buy\n`);
    expect(message).toContain(`FILE:2: ${column} must be `);
    expect(message).toContain(expected);
  });

  test.each([
    ['time_us', `${2 ** 53 - 1}`],
    ['time_ms', '9007199254740'],
    ['time_ns', `${2 ** 53 - 1}999`],
    ['time_ns', '7'],
  ])('%s of %s is read', async (column, time) => {
    expect(await failure(`${column},price,volume,side\n${time},10,1,buy\n`)).toBe('imported');
  });
});

test.each([
  [
    '100.5',
    { priceScale: 0 },
    'price must be a number with at most 0 decimals, the limit set by --price-scale',
  ],
  ['100.5', { volumeScale: 0 }, 'imported'],
  ['100.50', { priceScale: 1 }, 'imported'],
])('a price of %s with %j: %s', async (price, options, expected) => {
  const content = `time_us,price,volume,side\n1000,${price},1,buy\n`;
  expect(await failure(content, options)).toContain(expected);
});

describe('a first line', () => {
  const needed = 'required are time_us (or time_ms, time_ns), price, volume, side; found';
  const lines = 'time_us,price,volume,side\n1000,10,1,buy\n';
  test.each([
    [
      'with semicolons',
      lines.replaceAll(',', ';'),
      'separated by semicolons and must be separated by commas',
    ],
    ['with tabs', lines.replaceAll(',', '\t'), 'separated by tabs and must be separated by commas'],
    ['in UTF-16', Buffer.from(`\ufeff${lines}`, 'utf16le'), 'the text is UTF-16 and must be UTF-8'],
    ['of a comment', `# trades\n${lines}`, 'found "# trades": comment lines are not allowed'],
    ['of data', '1000,1,1,buy\n', ': the first line must name the columns'],
    [
      'of other names',
      'Time,Price\n',
      'lacks the columns time_us, price, volume, side; required are',
    ],
    [
      'without a time',
      lines.replace('time_us', 'time'),
      'lacks the column time_us; required are time_us',
    ],
  ])('%s is quoted, with the required columns', async (_, content, expected) => {
    const message = await failure(content);
    expect(message).toMatch(/^FILE:1: lacks the column/u);
    expect(message).toContain(needed);
    expect(message).toContain(expected);
  });

  test('may be quoted, or begin with a byte order mark', async () => {
    expect(await failure(`\ufeff${lines}`)).toBe('imported');
    expect(await failure(lines.replace('price', '"price"'))).toBe('imported');
  });

  test('with two time columns is refused', async () => {
    const content = 'time_us,time_ms,price,volume,side\n1000,1,10,1,buy\n';
    expect(await failure(content)).toBe(
      'FILE:1: has the columns time_us and time_ms; exactly one time column is allowed',
    );
  });
});

test.each([0, 300_000])('a line without an end is refused after %i characters', async (before) => {
  const row = '1000,10,1,buy\n';
  const rows = Math.ceil(before / row.length);
  const content = `time_us,price,volume,side\n${row.repeat(rows)}`;
  expect(await failure(content + '1'.repeat(70_000))).toContain(
    `FILE:${rows + 2}: a line must have at most 65536 characters; this line begins with "111`,
  );
  expect(await failure(`${content}1000,1${'0'.repeat(65_000)},1,buy\n`)).toContain(
    `FILE:${rows + 2}: price must be at most`,
  );
});

test("trades whose side differs from their maker's are counted", async () => {
  const path = join(folder, 'sides.csv');
  const rows = ['1,create,a,bid,10,5,,1', '2,trade,a,ask,10,1,,1', '3,trade,a,bid,10,1,,1'];
  const unknown = '4,trade,b,ask,10,1,,1';
  const title = 'time_us,action,order_id,side,price,volume,taker_id,end';
  writeFileSync(path, `${[title, ...rows, unknown].join('\n')}\n`);
  expect(await counts('csv', path)).toMatchObject({ trades: 3, otherSides: 1 });
});
