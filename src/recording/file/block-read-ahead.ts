/**
 * Reads, checks and decompresses the blocks of a file on a worker thread while this thread uses the
 * blocks before.
 *
 * The worker transfers each block's memory: nothing is copied, and a block stays valid for as long
 * as it is referenced.
 */
import { Worker } from 'node:worker_threads';
import { DecodeError } from '../../domain/errors.ts';
import { moduleEnding } from '../../runtime/module-ending.ts';
import type { OpenFile } from './block-file.ts';

/** The blocks that the thread reads, in this order. */
export type ReadAheadTask = {
  /** Must stay open until the thread has ended. */
  readonly file: OpenFile;
  readonly kind: number;
  readonly offsets: readonly number[];
};

/** A message to the thread: a block was taken, so read another one; or stop. */
export type BlockRequest = 'next' | 'end';

/** The content of a block, or the message of the error that it caused. */
export type BlockResult = Uint8Array<ArrayBuffer> | string;

export class BlockReadAhead {
  readonly #path: string;
  readonly #thread: Worker;
  readonly #exit: Promise<void>;
  /** Results that have not been taken yet. */
  readonly #results: BlockResult[] = [];
  #failure: Error | undefined;
  #wake = (): void => {};

  constructor(task: ReadAheadTask) {
    this.#path = task.file.path;
    const file = new URL(`./block-read-ahead-thread${moduleEnding}`, import.meta.url);
    this.#thread = new Worker(file, {
      workerData: task,
      // The arguments of the process are for its own script.
      execArgv: [],
    });
    this.#thread.on('message', (result: BlockResult) => {
      this.#results.push(result);
      this.#wake();
    });
    this.#thread.on('error', (cause) =>
      this.#fail(cause instanceof Error ? cause.message : String(cause), cause),
    );
    this.#exit = new Promise((resolve) => {
      this.#thread.on('exit', () => {
        this.#fail('the thread has ended');
        resolve();
      });
    });
    // An idle thread must not keep the process alive.
    this.#thread.unref();
  }

  /**
   * Returns the next block's bytes. Throws {@link DecodeError} with file and offset if they are
   * damaged, or if the thread has ended.
   */
  async next(): Promise<Buffer> {
    if (this.#results.length === 0) await this.#waitForMore();
    const result = this.#results.shift();
    if (result === undefined) throw this.#failure;
    if (typeof result === 'string') throw new DecodeError(result);
    this.#request('next');
    return Buffer.from(result.buffer, result.byteOffset, result.byteLength);
  }

  /**
   * Asks the thread to end and waits until it has. The thread is not terminated: Node ends the
   * whole process if a thread is terminated just when it begins to decompress.
   */
  async end(): Promise<void> {
    this.#request('end');
    this.#thread.ref();
    await this.#exit;
  }

  #request(request: BlockRequest): void {
    this.#thread.postMessage(request);
  }

  async #waitForMore(): Promise<void> {
    if (this.#failure !== undefined) return;
    this.#thread.ref();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#thread.unref();
  }

  #fail(what: string, cause?: unknown): void {
    const message = `${this.#path}: cannot be read by a worker thread: ${what}`;
    this.#failure ??= new DecodeError(message, { cause });
    this.#wake();
  }
}
