/**
 * A recording is made of exactly the bytes that its header lists, even if the source grows in the
 * meantime, like the capture of a running bot.
 *
 * Method: a source is opened, bytes are appended to its file, and the recording is written. It must
 * equal the recording of the file before the append.
 */
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCaptures } from '../../../src/recording/capture/capture-source.ts';
import { fileMarkBytes } from '../../../src/recording/file/block-file.ts';
import { type FlowSource, writeRecording } from '../../../src/recording/file/flow-source.ts';
import { openImport } from '../../../src/recording/import/import-format.ts';
import { marketFramesOf } from '../../../src/venues.ts';
import { writeCapture } from '../../support/capture-file.ts';
import { dbnHead, dbnRecord } from '../../support/dbn-bytes.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-growing-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const startMs = Date.UTC(2026, 10, 20, 8);
const title = 'time_us,price,volume,side\n';
const order = (id: number): Buffer =>
  dbnRecord({ at: 1_000 * id, id, action: 'A', side: 'B', price: 10, size: 1 });
const event = (sequence: number): string =>
  `${JSON.stringify({
    ...{ sequence, timestamp: startMs + sequence, type: 'create', id: String(sequence) },
    ...{ side: 'bid', price: '10', volume: '1' },
  })}\n`;

function blocksOf(path: string, atMs: number): Buffer {
  writeCapture(path, atMs, 3);
  return readFileSync(path).subarray(fileMarkBytes);
}

const opened = (format: string) => (path: string) =>
  openImport({
    ...{ base: 'ABC', counter: 'EUR', priceScale: undefined, volumeScale: undefined },
    ...{ format, path },
  });

const capture = (path: string): Promise<FlowSource> =>
  openCaptures([path], { pair: undefined, onWarning: () => {}, framesOf: marketFramesOf });

type Case = readonly [string, (path: string) => Promise<FlowSource>, () => readonly Buffer[]];

test.each<Case>([
  [
    'a capture',
    capture,
    () => {
      const path = join(folder, 'blocks.cap');
      const first = blocksOf(path, startMs);
      return [Buffer.concat([Buffer.from('MILLCAP1'), first]), blocksOf(path, startMs + 9_000)];
    },
  ],
  ['a table', opened('csv-trades'), () => [`${title}1,10,1,buy\n`, '2,10,1,buy\n'].map(bufferOf)],
  ['order records', opened('dbn'), () => [Buffer.concat([dbnHead(), order(1)]), order(2)]],
  [
    'compressed order records',
    opened('dbn'),
    () => [Buffer.concat([dbnHead(), order(1)]), order(2)].map((part) => zstdCompressSync(part)),
  ],
])('%s', async (name, open, partsOf) => {
  const path = join(folder, `${name}.data`);
  const [first = Buffer.alloc(0), more = ''] = partsOf();
  writeFileSync(path, first);
  const original = await writeRecording(await open(path), `${path}.mrec`);
  const source = await open(path);
  appendFileSync(path, more);
  const { header, index } = await writeRecording(source, `${path}.mrec`);
  expect(header.sources).toMatchObject([{ bytes: first.length, sha256: sha256(first) }]);
  expect(index.hash).toBe(original.index.hash);
  const { index: whole } = await writeRecording(await open(path), `${path}.mrec`);
  expect(whole.counts.rows).toBeGreaterThan(index.counts.rows);
});

test('events as JSON', async () => {
  const path = join(folder, 'json');
  mkdirSync(path);
  const events = gzipSync(event(1));
  writeFileSync(join(path, 'snapshot.json.gz'), gzipSync('{"bids":[],"asks":[]}'));
  writeFileSync(join(path, 'events.ndjson.gz'), events);
  const source = await opened('ndjson')(path);
  appendFileSync(join(path, 'events.ndjson.gz'), gzipSync(event(2)));
  const { header, index } = await writeRecording(source, join(folder, 'json.mrec'));
  expect(header.sources[1]).toMatchObject({ bytes: events.length, sha256: sha256(events) });
  expect(index.counts.creates).toBe(1);
});

function bufferOf(text: string): Buffer {
  return Buffer.from(text);
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
