/**
 * The blocks of a file, read, checked and decompressed on a thread of their own while this one is
 * busy with those before.
 *
 * The thread gives each block's memory away, so nothing is copied and a block is valid for as long
 * as somebody has it.
 */
import { Worker } from 'node:worker_threads';
import { DecodeError } from '../../domain/errors.ts';
import type { OpenFile } from './block-file.ts';

/** What the thread is to read: blocks of one kind, in this order. */
export type BlocksTask = {
  /** Must stay open until the thread has ended. */
  readonly file: OpenFile;
  readonly kind: number;
  readonly offsets: readonly number[];
};

/** What the thread is told: one more block was taken, or no more are wanted. */
export type BlocksWish = 'next' | 'end';

/** What a block holds, or why it cannot be read. */
export type BlockTold = Uint8Array<ArrayBuffer> | string;

export class BlocksAside {
  readonly #path: string;
  readonly #thread: Worker;
  readonly #exit: Promise<void>;
  /** What nobody has taken yet. */
  readonly #told: BlockTold[] = [];
  #failure: Error | undefined;
  #wake = (): void => {};

  constructor(task: BlocksTask) {
    this.#path = task.file.path;
    this.#thread = new Worker(new URL('./block-read-ahead-thread.ts', import.meta.url), {
      workerData: task,
      // Those of the process are about its own script.
      execArgv: [],
    });
    this.#thread.on('message', (told: BlockTold) => {
      this.#told.push(told);
      this.#wake();
    });
    this.#thread.on('error', (cause) => this.#fail(cause.message, cause));
    this.#exit = new Promise((resolve) => {
      this.#thread.on('exit', () => {
        this.#fail('it has ended');
        resolve();
      });
    });
    // Whoever stops asking need not wait for it.
    this.#thread.unref();
  }

  /**
   * Returns the next block's bytes. Throws {@link DecodeError} with file and offset if they are
   * damaged, or if the thread has ended.
   */
  async next(): Promise<Buffer> {
    if (this.#told.length === 0) await this.#waitForMore();
    const told = this.#told.shift();
    if (told === undefined) throw this.#failure;
    if (typeof told === 'string') throw new DecodeError(told);
    this.#tell('next');
    return Buffer.from(told.buffer, told.byteOffset, told.byteLength);
  }

  /**
   * Lets the thread end, and waits for it. It is asked to, not stopped: Node ends the whole process
   * if a thread is stopped just when it begins to decompress.
   */
  async end(): Promise<void> {
    this.#tell('end');
    this.#thread.ref();
    await this.#exit;
  }

  #tell(wish: BlocksWish): void {
    this.#thread.postMessage(wish);
  }

  async #waitForMore(): Promise<void> {
    if (this.#failure !== undefined) return;
    this.#thread.ref();
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
    });
    this.#thread.unref();
  }

  #fail(what: string, cause?: Error): void {
    const message = `${this.#path}: cannot be read by a thread of its own: ${what}`;
    this.#failure ??= new DecodeError(message, { cause });
    this.#wake();
  }
}
