/**
 * The Parquet export of a recording has exactly the values of its CSV export.
 *
 * Method: an independent reader gives the stored values. With the scales of the file's schema they
 * are written as text here, which must equal the text of `exportCsv`.
 */

import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type FileMetaData, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { runExportCommand } from '../../../src/cli/commands/export-command.ts';
import { ConfigError, DecodeError } from '../../../src/domain/errors.ts';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import { exportParquet } from '../../../src/recording/export/export-parquet.ts';
import { exportTableOf } from '../../../src/recording/export/export-rows.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { Output } from '../../../src/terminal/output.ts';
import { writeItems } from '../../support/compiled-flow.ts';
import { workspace } from '../../support/package-root.ts';
import { randomFlow } from '../../support/recorded-set.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

let folder = '';
let number = 0;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-parquet-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const pathOf = (ending: string): string => join(folder, `${++number}.${ending}`);

async function imported(format: string, text: string): Promise<Recording> {
  const path = pathOf('csv');
  writeFileSync(path, text);
  const scales = { priceScale: undefined, volumeScale: undefined };
  const out = pathOf('mrec');
  await writeRecording(
    await openImport({ base: 'ES', counter: 'USD', ...scales, format, path }),
    out,
  );
  return new Recording(out);
}

type Parquet = { readonly metadata: FileMetaData; readonly text: string };

/** Reads the file and writes it as the CSV of the recording. */
async function readParquet(path: string): Promise<Parquet> {
  const bytes = readFileSync(path);
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const metadata = parquetMetadata(file);
  const [, ...columns] = metadata.schema;
  // Without logical types the reader returns the stored values: exact integers.
  const plain = metadata.schema.map(({ logical_type: _, converted_type: type, ...element }) =>
    type === 'UTF8' ? { ...element, converted_type: type } : element,
  );
  const rows = await parquetReadObjects({ file, metadata: { ...metadata, schema: plain } });
  const titles = columns.map(({ name }) => (name === 'time' ? 'time_us' : name));
  const lines = rows.map((row) =>
    columns.map(({ name, scale }) => cellText(row[name], scale)).join(','),
  );
  return { metadata, text: `${[titles.join(','), ...lines].join('\n')}\n` };
}

function cellText(value: unknown, scale = 0): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (scale === 0) return String(value);
  const [, sign = '', whole = ''] = /^(-?)(\d+)$/u.exec(String(value)) ?? [];
  const digits = whole.padStart(scale + 1, '0');
  return `${sign}${digits.slice(0, -scale)}.${digits.slice(-scale)}`;
}

async function expectSame(recording: Recording, groupRows?: number): Promise<FileMetaData> {
  const path = pathOf('parquet');
  await exportParquet(recording, path, groupRows);
  const { metadata, text } = await readParquet(path);
  expect(text).toBe([...exportCsv(recording)].join(''));
  recording.close();
  return metadata;
}

describe('the file has the values of the CSV export', () => {
  test.each([1, 2, 3])('for random order flow in many row groups, seed %i', async (seed) => {
    const path = pathOf('mrec');
    writeItems(path, randomFlow(new SeededRandom(seed), 300));
    const metadata = await expectSame(new Recording(path), 100);
    expect(metadata.row_groups.length).toBeGreaterThan(2);
    for (const group of metadata.row_groups.slice(0, -1))
      expect(group.num_rows).toBeGreaterThanOrEqual(100n);
  });

  test('for every action, ids without quotes, and amounts of sixteen digits', async () => {
    const lines = [
      'time_us,action,order_id,side,price,volume,taker_id,end',
      '1700000000000001,resting,ä-1,bid,-45035996.27370495,0.00000001,,1',
      '1700000000000001,resting,2,ask,45035996.27370495,9007199.2547409,,1',
      '1700000000000002,status,,POST_ONLY,,,,1',
      '1700000000000003,status,,ACTIVE,,,,1',
      '1700000000000004,resize,2,ask,,7.00000001,,1',
      '1700000000000005,trade,2,ask,45035996.27370495,1.00000001,taker,0',
      '1700000000000005,create,3,bid,-0.00000001,5,,1',
      '1700000000000006,delete,ä-1,bid,,,,1',
      '1700000000000007,gap,,,,,,1',
    ];
    const recording = await imported('csv', `${lines.join('\n')}\n`);
    const text = [...exportCsv(recording)].join('');
    for (const action of ['resting', 'status', 'resize', 'trade', 'create', 'delete', 'gap'])
      expect(text).toContain(`,${action},`);
    expect(text).toContain('45035996.27370495');
    await expectSame(recording);
  });

  test('for trades and candles', async () => {
    const trades = 'time_us,price,volume,side\n1000,10.5,2,buy\n2000,10.25,1.5,sell\n';
    await expectSame(await imported('csv-trades', trades));
    const candles = 'time_us,open,high,low,close,volume\n1000,10,12,9.5,11,100\n2000,1,1,1,1,0\n';
    await expectSame(await imported('csv-candles', candles));
  });

  test('for a recording without rows', async () => {
    const path = pathOf('mrec');
    writeItems(path, []);
    const metadata = await expectSame(new Recording(path));
    expect(metadata.num_rows).toBe(0n);
  });
});

test('the schema has the types of the columns, and the metadata the origin of the file', async () => {
  const path = pathOf('mrec');
  const { hash } = writeItems(path, randomFlow(new SeededRandom(4), 50));
  const metadata = await expectSame(new Recording(path));
  const [, ...columns] = metadata.schema;
  expect(
    columns.map(({ name, type, logical_type: logical }) => [name, type, logical?.type]),
  ).toEqual([
    ['time', 'INT64', 'TIMESTAMP'],
    ['action', 'BYTE_ARRAY', 'STRING'],
    ['order_id', 'BYTE_ARRAY', 'STRING'],
    ['side', 'BYTE_ARRAY', 'STRING'],
    ['price', 'INT64', 'DECIMAL'],
    ['volume', 'INT64', 'DECIMAL'],
    ['taker_id', 'BYTE_ARRAY', 'STRING'],
    ['end', 'BOOLEAN', undefined],
  ]);
  expect(columns[0]?.logical_type).toMatchObject({ isAdjustedToUTC: true, unit: 'MICROS' });
  expect(columns[4]).toMatchObject({ precision: 18, scale: 2 });
  const facts = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  expect(facts.get('millrace.pair')).toBe('ABCEUR');
  expect(facts.get('millrace.price_scale')).toBe('2');
  expect(facts.get('millrace.recording')).toBe(hash);
});

describe('the command', () => {
  const stream = new PassThrough().resume();
  const output = new Output({ workspace, isJson: true, stdout: stream, stderr: stream });
  let recording = '';
  beforeAll(() => {
    recording = pathOf('mrec');
    writeItems(recording, randomFlow(new SeededRandom(5), 200));
  });
  const run = (out: string, format?: 'csv' | 'parquet', from = recording): Promise<number> =>
    runExportCommand({ source: from, out, format, output });

  test('writes the format of the file ending, or the given format', async () => {
    const [table, text, named] = [pathOf('parquet'), pathOf('csv'), pathOf('table')];
    await run(table);
    await run(text);
    await run(named, 'parquet');
    expect((await readParquet(table)).text).toBe(readFileSync(text, 'utf8'));
    expect(readFileSync(named)).toEqual(readFileSync(table));
    await expect(run(pathOf('xlsx'))).rejects.toThrow(ConfigError);
  });

  test.each(['csv', 'csv.gz', 'parquet'])(
    'leaves no %s file of a damaged recording',
    async (ending) => {
      const damaged = pathOf('mrec');
      const bytes = readFileSync(recording);
      bytes.writeUInt32LE(0xdead_beef, Math.floor(bytes.length * 0.6));
      writeFileSync(damaged, bytes);
      const out = pathOf(ending);
      await expect(run(out, undefined, damaged)).rejects.toThrow(DecodeError);
      expect(existsSync(out)).toBe(false);
      expect(existsSync(`${out}.partial`)).toBe(false);
    },
  );

  test.each(['csv', 'csv.gz', 'parquet'])(
    'fails when a %s file cannot be written',
    async (ending) => {
      const taken = pathOf(ending);
      mkdirSync(taken);
      await expect(run(taken)).rejects.toThrow(ConfigError);
      await expect(run(join(folder, 'nowhere', `x.${ending}`))).rejects.toThrow(
        /nowhere.*cannot be written: ENOENT/u,
      );
      expect(existsSync(`${taken}.partial`)).toBe(false);
    },
  );
});

test('rows are made in small slices, so that memory does not hold a whole block of them', () => {
  const path = pathOf('mrec');
  writeItems(path, randomFlow(new SeededRandom(4), 9_000), {});
  const recording = new Recording(path);
  const sizes = [...exportTableOf(recording).rows()].map(({ length }) => length);
  recording.close();
  expect(Math.max(...sizes)).toBe(4_096);
  expect(sizes.reduce((sum, size) => sum + size)).toBe(recording.index.counts.rows);
});
