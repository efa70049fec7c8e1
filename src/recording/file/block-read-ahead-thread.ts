/** The thread that reads blocks ahead: tells the first few, then one for each that was taken. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, DecodeError } from '../../domain/errors.ts';
import { BlockFile } from './block-file.ts';
import type { BlocksTask, BlocksWish, BlockTold } from './block-read-ahead.ts';

/** The one that is taken next, one that comes in the meantime, and one more for an uneven load. */
const ahead = 3;

const port = parentPort;
assert(port !== null, 'blocks-thread.ts must be a thread');
const { file: opened, kind, offsets } = workerData as BlocksTask;
const file = new BlockFile(opened);
let next = 0;

function tellNext(): void {
  const offset = offsets[next++];
  if (offset === undefined) return;
  const told = read(offset);
  port?.postMessage(told, typeof told === 'string' ? [] : [told.buffer]);
}

function read(offset: number): BlockTold {
  try {
    return ownMemoryOf(file.inflate(file.blockOf(offset, kind)));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
}

/** Small buffers are parts of a memory that must not be given away. */
function ownMemoryOf(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0;
  if (isOwn && buffer.byteLength <= bytes.length + 1) return bytes as Buffer<ArrayBuffer>;
  return new Uint8Array(bytes);
}

for (let count = 0; count < ahead; count++) tellNext();
port.on('message', (wish: BlocksWish) => {
  if (wish === 'next') tellNext();
  else port.close();
});
