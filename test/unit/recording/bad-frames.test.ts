/**
 * A frame of a capture that cannot be read is skipped with a warning and a gap; the rest compiles.
 *
 * Method: a capture of a book and one order per second. One frame is altered; later the book is
 * repeated.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCaptures } from '../../../src/recording/capture/capture-source.ts';
import { exportCsv } from '../../../src/recording/export/export-csv.ts';
import { writeRecording } from '../../../src/recording/file/flow-source.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { verifyFile } from '../../../src/recording/verify-file.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { writeCapture } from '../../support/capture-file.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-bad-frames-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startMs = Date.UTC(2026, 10, 20, 8);
const badMicros = (startMs + 2_000) * 1_000;
const trade = (base: string, counter: string): string =>
  JSON.stringify({
    ...{ sequence: '3', timestamp: startMs + 2_000 },
    trade_updates: [
      { sequence: 1, base, counter, maker_order_id: `a${startMs}`, taker_order_id: 'x' },
    ],
  });
const bookAgain = JSON.stringify({
  ...{ sequence: '5', asks: [], bids: [{ id: 'c', price: '99.5', volume: '7' }] },
  ...{ status: 'ACTIVE', timestamp: startMs + 4_000 },
});

async function compiled(alter: (text: string) => string) {
  const path = join(folder, 'some.cap');
  writeCapture(path, startMs, 5, (text, number) => {
    if (number === 4) return bookAgain;
    return number === 2 ? alter(text) : text;
  });
  const warnings: string[] = [];
  const onWarning = (text: string) => warnings.push(text.replace(path, 'FILE'));
  const source = await openCaptures([path], {
    pair: undefined,
    onWarning,
    framesOf: marketFramesOf,
  });
  const { notes, index } = await writeRecording(source, join(folder, 'some.mrec'));
  const recording = new Recording(join(folder, 'some.mrec'));
  const lines = [...exportCsv(recording)].join('').split('\n').slice(1, -1);
  recording.close();
  const { problems } = verifyFile(path, marketFramesOf);
  return { warnings, notes, index, lines, problems: problems.map((p) => p.replace(path, 'FILE')) };
}

test.each([
  ['a volume with too many decimals', (text: string) => text.replace('"5"', '"5.5"'), '"5.5"'],
  ['a volume of 0', (text: string) => text.replace('"5"', '"0"'), '"0"'],
  ['a volume beyond 2^53', (text: string) => text.replace('"5"', `"${2 ** 53}"`), `"${2 ** 53}"`],
  [
    'a price with too many decimals',
    (text: string) => text.replace('"100"', '"100.001"'),
    '"100.001"',
  ],
  ['a trade of volume 0', () => trade('0', '5'), '"0" and "5"'],
  ['a trade at a price beyond 2^53', () => trade('1', '9'.repeat(20)), `"${'9'.repeat(20)}"`],
  ['an id of two lines', (text: string) => text.replace('"b1', '"b\\n1'), 'control character'],
  ['a taker with a tab', () => trade('1', '100').replace('"x"', '"x\\ty"'), 'control character'],
  ['text that is not JSON', () => '{', 'frame is not JSON'],
])('%s is skipped, with file and offset, until the next book', async (_, alter, expected) => {
  const { warnings, notes, index, lines, problems } = await compiled(alter);
  expect(warnings[0]).toContain(`FILE: offset 8: the frame at ${badMicros} is skipped: `);
  expect(warnings[0]).toContain(expected);
  expect(warnings).toHaveLength(1);
  expect(notes).toMatchObject({ badFrames: 1, framesBeforeBook: 1 });
  expect(index.counts).toMatchObject({ gaps: 1, unknownOrders: 0 });
  const [second, later] = [1_000, 4_000].map((ms) => (startMs + ms) * 1_000);
  expect(lines).toEqual([
    `${second},resting,a${startMs},ask,100.25,5,,1`,
    `${second},create,b${startMs}-0,bid,100.00,5,,1`,
    `${second},gap,,,,,,1`,
    `${later},delete,b${startMs}-0,bid,,,,0`,
    `${later},delete,a${startMs},ask,,,,0`,
    `${later},create,c,bid,99.50,7,,0`,
    `${later},status,,ACTIVE,,,,1`,
    `${(startMs + 5_000) * 1_000},create,b${startMs}-4,bid,100.00,5,,1`,
  ]);
  expect(problems[0]).toContain(`FILE: offset 8: frame of ABCEUR at ${badMicros}: `);
  expect(problems[0]).toContain(expected);
});

test('the bad time of a skipped frame does not affect later times', async () => {
  const { index } = await compiled((text) =>
    text.replace('"5"', '"0"').replace(String(startMs + 2_000), String(startMs + 3_600_000)),
  );
  expect(index.counts).toMatchObject({ gaps: 1, timesWentBack: 0 });
});

test('the first entry of a capture says whose frames follow', async () => {
  const path = join(folder, 'named.cap');
  const options = { pair: undefined, onWarning: () => {}, framesOf: marketFramesOf };
  const write = (protocol: string): void =>
    writeCapture(path, startMs, 2, undefined, { venue: 'test', protocol });
  const compile = async () =>
    writeRecording(await openCaptures([path], options), join(folder, 'named.mrec'));
  write('luno');
  expect((await compile()).index.counts).toMatchObject({ gaps: 0, messages: 2 });
  expect(verifyFile(path, marketFramesOf).problems).toEqual([]);
  write('kraken');
  const unknown = 'the frames are of protocol "kraken", which must be one of: luno';
  await expect(compile()).rejects.toThrow(unknown);
  expect(verifyFile(path, marketFramesOf).problems).toEqual([unknown]);
});
