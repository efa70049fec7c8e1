/** Rows that contradict their own book: warnings in words, with the first place. */

import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, expect, test } from 'vitest';
import { runImportCommand } from '../../../src/cli/commands/compile-command.ts';
import { misfitTexts } from '../../../src/recording/file/misfits.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { Output } from '../../../src/terminal/output.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { importedFiles } from '../../support/imported-files.ts';
import { workspace } from '../../support/package-root.ts';

const { folder, fileOf, imported, remove } = importedFiles('csv');
afterAll(remove);

const title = 'time_us,action,order_id,side,price,volume,taker_id,end';
/** 2026-01-01, in microseconds. */
const start = 1_767_225_600_000_000;
const at = (seconds: number, rest: string): string => `${start + seconds * 1e6},${rest}`;

const rows = [
  at(0, 'resting,a,bid,10,5,,1'),
  at(1, 'create,b,ask,12,3,,1'),
  at(2, 'delete,nobody,,,,,1'),
  at(3, 'create,b,ask,13,3,,1'),
  at(4, 'trade,b,ask,12,9,t,1'),
  at(5, 'trade,a,bid,11,1,t,1'),
  at(6, 'trade,a,ask,10,1,t,1'),
  at(7, 'delete,missing,,,,,1'),
];

const time = (seconds: number): string => `2026-01-01T00:00:0${seconds}`;

test('each kind of misfit is one warning with its meaning and its first row and time', async () => {
  const recording = await imported('csv', fileOf(`${[title, ...rows].join('\n')}\n`));
  const texts = misfitTexts(recording.index);
  const expected = [
    ['unknownOrders, 2 of 7 rows, the first is row 2', 2, 'rows before it are missing'],
    ['repeatedIds, 1 of 7 rows, the first is row 3', 3, 'may show volume that was gone'],
    ['excessVolumes, 1 of 7 rows, the first is row 4', 4, 'may be filled too early'],
    ['otherPrices, 1 of 7 rows, the first is row 5', 5, 'fills and profit are uncertain'],
    ['otherSides, 1 of 7 rows, the first is row 6', 6, 'has the taker'],
  ] as const;
  expect(texts).toHaveLength(expected.length);
  for (const [index, [begin, seconds, meaning]] of expected.entries()) {
    expect(texts[index]).toContain(`${begin} at ${time(seconds)}`);
    expect(texts[index]).toContain(meaning);
  }
  expect(verifyFile(recording.path, marketFramesOf).warnings).toEqual(
    texts.map((text) => `${recording.path}: ${text}`),
  );
  recording.close();
});

test('the import prints the same warnings, and none for data that fits', async () => {
  const printed = async (content: readonly string[]): Promise<string> => {
    let text = '';
    const stream = new PassThrough();
    stream.on('data', (part) => (text += String(part)));
    const output = new Output({ workspace, isJson: false, stdout: stream, stderr: stream });
    const scales = { priceScale: undefined, volumeScale: undefined };
    await runImportCommand({
      ...{ format: 'csv', path: fileOf(`${[title, ...content].join('\n')}\n`), ...scales },
      ...{ market: 'ES/USD', out: join(folder, 'printed.mrec'), output },
    });
    return text;
  };
  expect(await printed(rows)).toContain('! unknownOrders, 2 of 7 rows, the first is row 2 at');
  expect(await printed(rows.slice(0, 2))).not.toContain('! ');
});

test('an id that rests twice at the start has no row', async () => {
  const twice = [rows[0], rows[0], rows[1]].join('\n');
  const recording = await imported('csv', fileOf(`${title}\n${twice}\n`));
  expect(misfitTexts(recording.index)[0]).toContain(
    'repeatedIds, 1 of 1 rows, the first in the book at the start',
  );
  recording.close();
});
