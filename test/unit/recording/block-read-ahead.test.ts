/** Blocks read ahead by a worker thread: the same blocks and errors, and nothing left open. */
import { spawnSync } from 'node:child_process';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { DecodeError } from '../../../src/domain/errors.ts';
import { BlockFile, encodeBlock, fileMark } from '../../../src/recording/file/block-file.ts';
import { BlockReadAhead } from '../../../src/recording/file/block-read-ahead.ts';
import { Recording } from '../../../src/recording/file/recording.ts';
import { recordingBlock } from '../../../src/recording/file/recording-header.ts';
import { rowsOf, writeItems } from '../../support/compiled-flow.ts';
import { randomFlow } from '../../support/recorded-set.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

let folder = '';
let path = '';
/** Number of blocks, more than are read without a thread. */
let blocks = 0;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'millrace-read-ahead-'));
  path = join(folder, 'long.mrec');
  const options = { blockRows: 20, checkpointEvery: 3 };
  blocks = writeItems(path, randomFlow(new SeededRandom(1), 1_200), options).blocks.length;
  expect(blocks).toBeGreaterThan(40);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns how many handles of the file this process has open. */
function handlesOf(file: string): number {
  const isOpen = (handle: string): boolean => {
    try {
      return readlinkSync(join('/proc/self/fd', handle)) === file;
    } catch {
      // The handle was closed in the meantime.
      return false;
    }
  };
  return readdirSync('/proc/self/fd').filter(isOpen).length;
}

test('blocks come in order, and stay valid after the thread has ended', async () => {
  const recording = new Recording(path);
  const all = [];
  for await (const block of recording.blocks()) all.push(block);
  recording.close();
  const again = new Recording(path);
  const each = again.index.blocks.map((entry) => again.block(entry));
  again.close();
  expect(all.map(rowsOf)).toEqual(each.map(rowsOf));
});

test('two readers of one recording do not interfere', async () => {
  const recording = new Recording(path);
  const [all, other] = [recording.blocks(), recording.blocks(5)];
  let read = 0;
  for await (const block of other) {
    expect(block.firstRow).toBe(recording.index.blocks[5 + read]?.firstRow);
    expect((await all.next()).value?.firstRow).toBe(recording.index.blocks[read]?.firstRow);
    read++;
  }
  expect(read).toBe(blocks - 5);
  await all.return();
  recording.close();
  expect(handlesOf(path)).toBe(0);
});

test('a damaged block is an error with file and offset, after all blocks before it', async () => {
  const whole = new Recording(path);
  const { offset } = whole.index.blocks[15] as { offset: number };
  whole.close();
  const bytes = readFileSync(path);
  bytes[offset + 30] = (bytes[offset + 30] ?? 0) ^ 1;
  const broken = join(folder, 'broken.mrec');
  writeFileSync(broken, bytes);
  const recording = new Recording(broken);
  let read = 0;
  const reading = (async () => {
    for await (const block of recording.blocks()) read += block.rows > 0 ? 1 : 0;
  })();
  const error = await reading.catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(DecodeError);
  expect((error as Error).message).toBe(
    `${broken}: offset ${offset}: the checksum of the block is wrong`,
  );
  expect(read).toBe(15);
  recording.close();
  expect(handlesOf(broken)).toBe(0);
});

test('a reader that stops in the middle leaves no handle open', async () => {
  const recording = new Recording(path);
  let read = 0;
  for await (const _ of recording.blocks()) if (++read === 12) break;
  recording.close();
  expect(handlesOf(path)).toBe(0);
});

test('a thread is asked to end and never terminated, which could end the process', async () => {
  const stopped = vi.spyOn(Worker.prototype, 'terminate');
  for (const max of [9, 11, blocks]) {
    const recording = new Recording(path);
    let read = 0;
    for await (const _ of recording.blocks()) if (++read === max) break;
    recording.close();
    expect(handlesOf(path)).toBe(0);
  }
  expect(stopped).not.toHaveBeenCalled();
  stopped.mockRestore();
});

test('a recording closed during reading closes its file when the thread has ended', async () => {
  const recording = new Recording(path);
  const left = recording.blocks();
  for (let read = 0; read < 12; read++) await left.next();
  recording.close();
  // The thread may still use the handle.
  expect(handlesOf(path)).toBe(1);
  await vi.waitFor(() => expect(handlesOf(path)).toBe(0));
  const reading = (async () => {
    for await (const block of left) expect(block.rows).toBeGreaterThan(0);
  })();
  await expect(reading).rejects.toThrow(`${path}: cannot be read by a worker thread`);
});

test('a process waits for the thread while it needs blocks, and not afterwards', () => {
  const url = pathToFileURL(
    join(import.meta.dirname, '../../../src/recording/file/recording.ts'),
  ).href;
  const countOf = (max: number): string => {
    const script = `
      import { Recording } from ${JSON.stringify(url)};
      const blocks = new Recording(${JSON.stringify(path)}).blocks();
      let read = 0;
      while (!(await blocks.next()).done) if (++read === ${max}) break;
      console.log(read);`;
    // The thread must not apply these options to its own file.
    const options = ['--input-type=module', '-e', script];
    const run = { encoding: 'utf8', timeout: 10_000 } as const;
    const { status, stdout } = spawnSync(process.execPath, options, run);
    return `${status} ${stdout}`;
  };
  // All blocks; some blocks of the thread; no blocks of the thread.
  for (const max of [blocks, 12, 3]) expect(countOf(max)).toBe(`0 ${max}\n`);
}, 60_000);

test.each([0, 1, 2])('blocks of any length are complete, codec %i', async (codec) => {
  const file = join(folder, `sizes-${codec}`);
  const contents = [0, 1, 7, 63, 64, 1_000, 4_095, 4_096, 20_000, 300_000].map((length) =>
    Buffer.alloc(length, 'ab'),
  );
  const kind = recordingBlock.rows;
  const encoded = contents.map((bytes) => encodeBlock(kind, bytes, codec));
  writeFileSync(file, Buffer.concat([Buffer.from(fileMark.recording), ...encoded]));
  let offset = fileMark.recording.length;
  const offsets = encoded.map(({ length }) => {
    offset += length;
    return offset - length;
  });
  const opened = BlockFile.open(file, fileMark.recording);
  const reader = new BlockReadAhead({ file: opened.opened, kind, offsets });
  for (const bytes of contents) expect((await reader.next()).equals(bytes)).toBe(true);
  await reader.end();
  opened.close();
});

test('a file that cannot be read is an error for the waiting reader', async () => {
  const reader = new BlockReadAhead({
    file: { path, size: 1_000_000, handle: -1 },
    kind: recordingBlock.rows,
    offsets: [8],
  });
  await expect(reader.next()).rejects.toThrow(`${path}: cannot be read by a worker thread`);
  await reader.end();
});
