/** Files of order records are read in chunks, wherever chunks and zstd frames end. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DbnFile } from '../../../src/recording/import/dbn-file.ts';
import { dbnHead, dbnRecord } from '../../support/dbn-bytes.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-dbn-file-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const sourceBytes = 1 << 17;

const records = (count: number, firstId = 1): Buffer =>
  Buffer.concat(
    Array.from({ length: count }, (_, at) =>
      dbnRecord({ at: 1_000 + at, id: firstId + at, action: 'A', side: 'B', price: 10, size: 1 }),
    ),
  );

/** Returns the ids of the file's orders; waits between batches, as the import does. */
async function idsOf(bytes: Buffer): Promise<readonly number[]> {
  const path = join(folder, 'data.dbn');
  writeFileSync(path, bytes);
  const ids: number[] = [];
  for await (const batch of new DbnFile(path).batches()) {
    for (const { orderId } of batch) ids.push(Number.parseInt(orderId, 10));
    await new Promise((resolve) => setImmediate(resolve));
  }
  return ids;
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

test.each([1, 100, 60_000])('%i records are read, plain and in zstd frames', async (count) => {
  const rest = records(50, count + 1);
  const plain = Buffer.concat([dbnHead(), records(count), rest]);
  expect(await idsOf(plain)).toEqual(upTo(count + 50));
  const frames = [dbnHead(), records(count), rest].map((part) => zstdCompressSync(part));
  expect(await idsOf(Buffer.concat(frames))).toEqual(upTo(count + 50));
});

test.each([-1, 0, 1])('a frame may end %i bytes from the end of a chunk', async (by) => {
  // Random bytes cannot be compressed, so the length of a frame depends only on their number.
  const metadata = randomBytes(sourceBytes);
  const begin = dbnHead().subarray(0, 8);
  let head = Buffer.alloc(0);
  for (let length = sourceBytes - 100; head.length < sourceBytes + by; length++) {
    begin.writeUInt32LE(length, 4);
    const parts = [metadata.subarray(0, 60_000), metadata.subarray(60_000, length)] as const;
    head = Buffer.concat([
      zstdCompressSync(Buffer.concat([begin, parts[0]])),
      zstdCompressSync(parts[1]),
    ]);
  }
  expect(head.length).toBe(sourceBytes + by);
  const frames = [records(3), records(4, 4)].map((part) => zstdCompressSync(part));
  expect(await idsOf(Buffer.concat([head, ...frames]))).toEqual(upTo(7));
});
