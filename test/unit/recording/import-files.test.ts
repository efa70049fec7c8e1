/** Files that are not what their name says, and a gap before the first event. */
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import { importedFiles } from '../../support/imported-files.ts';

const { fileOf, imported, failure, remove } = importedFiles('csv');
afterAll(remove);

const table = 'time_us,price,volume,side\n1000,10,1,buy\n';

test.each([
  ['gzip without .gz', gzipSync(table), 'csv'],
  ['plain text with .gz', table, 'csv.gz'],
])('%s is read by its first bytes', async (_, content, ending) => {
  const recording = await imported('csv-trades', fileOf(content, ending));
  expect([...exportCsv(recording)].join('')).toBe(table);
  recording.close();
});

test.each([
  ['504b0304', 'ZIP', 'unzip'],
  ['28b52ffd', 'Zstandard', 'zstd -d'],
  ['425a6839', 'bzip2', 'bunzip2'],
  ['fd377a58', 'xz', 'unxz'],
])('a file that begins with %s is called %s, with what unpacks it', async (mark, kind, command) => {
  const bytes = Buffer.concat([Buffer.from(mark, 'hex'), Buffer.alloc(60)]);
  expect(await failure('csv-trades', bytes)).toBe(
    `FILE: is a ${kind} file; unpack it with "${command}", then import the table that was in it`,
  );
});

test('a gap after the book at the start and before the first event is kept', async () => {
  const rows = [
    'time_us,action,order_id,side,price,volume,taker_id,end',
    '1000,resting,a,bid,10,5,,1',
    '2000,gap,,,,,,1',
    '9000,create,b,ask,12,5,,0',
    '9000,status,,ACTIVE,,,,1',
  ];
  const text = `${rows.join('\n')}\n`;
  const recording = await imported('csv', fileOf(text));
  expect(recording.index.counts.gaps).toBe(1);
  expect([...exportCsv(recording)].join('')).toBe(text.replace('1000,', '2000,'));
  recording.close();
});
