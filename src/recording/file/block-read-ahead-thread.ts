/** The thread that reads blocks ahead: it sends the first few, then one for each block taken. */
import { parentPort, workerData } from 'node:worker_threads';
import { assert, DecodeError } from '../../domain/errors.ts';
import { BlockFile } from './block-file.ts';
import type { BlockRequest, BlockResult, ReadAheadTask } from './block-read-ahead.ts';

/** The block taken next, the block read in the meantime, and one more for an uneven load. */
const blocksAhead = 3;

const port = parentPort;
assert(port !== null, 'block-read-ahead-thread.ts must run in a worker thread');
const { file: opened, kind, offsets } = workerData as ReadAheadTask;
const file = new BlockFile(opened);
let next = 0;

function sendNext(): void {
  const offset = offsets[next++];
  if (offset === undefined) return;
  const result = read(offset);
  port?.postMessage(result, typeof result === 'string' ? [] : [result.buffer]);
}

function read(offset: number): BlockResult {
  try {
    return transferable(file.inflate(file.blockOf(offset, kind)));
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    return error.message;
  }
}

/** Copies a buffer that is part of a larger memory, which must not be transferred. */
function transferable(bytes: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteOffset } = bytes;
  const isOwn = buffer instanceof ArrayBuffer && byteOffset === 0;
  if (isOwn && buffer.byteLength <= bytes.length + 1) return bytes as Buffer<ArrayBuffer>;
  return new Uint8Array(bytes);
}

for (let count = 0; count < blocksAhead; count++) sendNext();
port.on('message', (request: BlockRequest) => {
  if (request === 'next') sendNext();
  else port.close();
});
