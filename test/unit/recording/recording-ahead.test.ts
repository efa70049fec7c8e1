/** A short recording is decompressed one block ahead: the same blocks, and errors in their turn. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { DecodeError } from '../../../src/domain/errors.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { rowsOf, writeItems } from '../../support/compiled-flow.ts';
import { randomFlow } from '../../support/recorded-set.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

let folder = '';
let path = '';
/** Where each block begins. */
let offsets: readonly number[] = [];

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-ahead-'));
  path = join(folder, 'short.mrec');
  // So few blocks need no thread.
  const options = { blockRows: 100, checkpointEvery: 3 };
  offsets = writeItems(path, randomFlow(new SeededRandom(1), 600), options).blocks.map(
    ({ offset }) => offset,
  );
  expect(offsets.length).toBeGreaterThan(4);
  expect(offsets.length).toBeLessThan(40);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Writes a copy in which a block has right checksums and content that is not compressed. */
function withBrokenContent(offset: number): string {
  const bytes = readFileSync(path);
  const stored = bytes.subarray(offset + 24, offset + 24 + bytes.readUInt32LE(offset + 8));
  stored.fill(0xff);
  bytes.writeUInt32LE(crc32(stored), offset + 16);
  bytes.writeUInt32LE(crc32(bytes.subarray(offset, offset + 20)), offset + 20);
  const broken = join(folder, `broken-${offset}.mrec`);
  writeFileSync(broken, bytes);
  return broken;
}

test('yields the blocks that are read one by one', async () => {
  const recording = new Recording(path);
  const ahead = [];
  for await (const block of recording.blocks()) ahead.push(rowsOf(block));
  const each = recording.index.blocks.map((entry) => rowsOf(recording.block(entry)));
  recording.close();
  expect(ahead).toEqual(each);
});

test('content that cannot be decompressed is an error after all blocks before it', async () => {
  const offset = offsets[3] as number;
  const broken = withBrokenContent(offset);
  const recording = new Recording(broken);
  let read = 0;
  const reading = (async () => {
    for await (const _ of recording.blocks()) read++;
  })();
  const error = await reading.catch((caught: unknown) => caught);
  recording.close();
  expect(error).toBeInstanceOf(DecodeError);
  expect((error as Error).message).toMatch(`${broken}: offset ${offset}: cannot be decompressed: `);
  expect(read).toBe(3);
});

test('a damaged block that nobody asks for is no error', async () => {
  const recording = new Recording(withBrokenContent(offsets[1] as number));
  for await (const block of recording.blocks()) {
    expect(block.firstRow).toBe(0);
    break;
  }
  recording.close();
  // An unhandled rejection of the block ahead would fail this run.
  await new Promise((resolve) => setTimeout(resolve, 50));
});
