/**
 * Keeps market streams as they are received: lines collected for a few seconds, compressed beside
 * this thread, appended as one checksummed block.
 *
 *     append ─▶ lines ──5 s or 256 KiB──▶ compress ─▶ block at the end of the file
 *
 * A block is in the file as a whole or not at all. Who is killed loses the lines of the last
 * seconds and may leave a torn block, which readers drop and tell; nothing before it is touched
 * again, and the next process writes another file. Memory is bounded: when the disk cannot follow,
 * lines are dropped and the gap is marked. A file ends by its size or with the day (UTC), and
 * every file begins with what is needed to read it alone: the rules of its markets, and their
 * books.
 */
import { closeSync, fsyncSync, openSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { deflateRaw } from 'node:zlib';
import { StoreError } from '../../domain/errors.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { writeAll } from '../../runtime/write-all.ts';
import { blockOf, codec, fileMark } from '../file/block-file.ts';
import { type CaptureEntry, encodeCaptureEntry } from './capture-entry.ts';

/** The only kind of block in a capture. */
export const captureBlock = 16;

export type CaptureWriterOptions = {
  readonly folder: string;
  /** First part of the files' names: a bot's, or a venue's. */
  readonly name: string;
  /** Says where the streams come from; the first line of every file. */
  readonly begin: Readonly<Record<string, unknown>>;
  readonly fileBytesMax?: number;
  /** Files of this name beyond these are deleted, oldest first; none is if not given. */
  readonly keep?: { readonly bytesMax: number; readonly days: number } | undefined;
  /** Returns what a file begins with besides: markets and books as they are known now. */
  readonly restate: () => readonly Omit<CaptureEntry, 'atMicros'>[];
  /** Removes secrets from text that came from outside. */
  readonly hide: (text: string) => string;
  /** Called once if the disk fails; nothing is kept afterwards. */
  readonly onFailure: (error: StoreError) => void;
};

const blockBytesMax = 256 * 1024;
const waitingBytesMax = 16 * 1024 * 1024;
const fileBytesMaxDefault = 64 * 1024 * 1024;
const dayMicros = 86_400_000_000;
const deflateAside = promisify(deflateRaw);

export class CaptureWriter {
  readonly #options: CaptureWriterOptions;
  readonly #fileBytesMax: number;
  #handle: number | undefined;
  #path = '';
  #fileBytes = 0;
  #day = 0;
  /** The next file is asked for and not open. */
  #isTurning = false;
  #lines: string[] = [];
  #lineBytes = 0;
  #waitingBytes = 0;
  /** Lines that were dropped since the last block, by pair. */
  readonly #dropped = new Map<string, number>();
  #lastMicros = 0;
  #work: Promise<void> = Promise.resolve();
  #hasFailed = false;

  /** Nothing is written before the first entry. */
  constructor(options: CaptureWriterOptions) {
    this.#options = options;
    this.#fileBytesMax = options.fileBytesMax ?? fileBytesMaxDefault;
  }

  /** The file that is written now; empty before the first. */
  get path(): string {
    return this.#path;
  }

  append(entry: CaptureEntry): void {
    if (this.#hasFailed) return;
    const atMicros = Math.max(this.#lastMicros, entry.atMicros);
    const kept = { ...entry, atMicros, text: this.#options.hide(entry.text) };
    if (this.#mustTurn(atMicros)) this.#turn(atMicros);
    this.#lastMicros = atMicros;
    if (this.#waitingBytes > waitingBytesMax) {
      this.#dropped.set(entry.pair, (this.#dropped.get(entry.pair) ?? 0) + 1);
      return;
    }
    this.#tellDropped();
    this.#push(kept);
    if (this.#lineBytes >= blockBytesMax) void this.flush();
  }

  /**
   * Sends what is collected on its way to the disk, and resolves when it is in the file. Call it
   * every few seconds.
   */
  flush(): Promise<void> {
    if (this.#lines.length === 0 || this.#hasFailed) return this.#work;
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#lineBytes = 0;
    this.#waitingBytes += bytes.length;
    this.#then(async () => {
      const stored = await deflateAside(bytes);
      this.#write(blockOf(captureBlock, codec.deflate, stored, bytes.length));
      this.#waitingBytes -= bytes.length;
    });
    return this.#work;
  }

  /** Writes everything, ends the file in order and resolves when it is on the disk. */
  async close(): Promise<void> {
    this.#end();
    await this.#work;
  }

  #mustTurn(atMicros: number): boolean {
    return (
      !this.#isTurning &&
      (this.#day !== Math.floor(atMicros / dayMicros) || this.#fileBytes >= this.#fileBytesMax)
    );
  }

  /** Ends the present file and begins another. */
  #turn(atMicros: number): void {
    this.#end();
    this.#day = Math.floor(atMicros / dayMicros);
    this.#isTurning = true;
    this.#then(() => this.#open(atMicros));
    const { begin, restate } = this.#options;
    this.#push({ atMicros, pair: '-', kind: 'begin', text: JSON.stringify(begin) });
    for (const known of restate()) this.#push({ ...known, atMicros });
  }

  #end(): void {
    if (this.#day === 0) return;
    this.#push({ atMicros: this.#lastMicros, pair: '-', kind: 'end', text: '' });
    void this.flush();
    this.#then(() => {
      if (this.#handle === undefined) return;
      fsyncSync(this.#handle);
      closeSync(this.#handle);
      this.#handle = undefined;
    });
  }

  #tellDropped(): void {
    for (const [pair, count] of this.#dropped)
      this.#push({ atMicros: this.#lastMicros, pair, kind: 'dropped', text: String(count) });
    this.#dropped.clear();
  }

  #push(entry: CaptureEntry): void {
    const line = `${encodeCaptureEntry(entry)}\n`;
    this.#lines.push(line);
    this.#lineBytes += line.length;
  }

  /** One thing after the other; the first failure ends it all. */
  #then(work: () => void | Promise<void>): void {
    this.#work = this.#work.then(async () => {
      if (this.#hasFailed) return;
      try {
        await work();
      } catch (cause) {
        this.#hasFailed = true;
        this.#lines = [];
        const text = `capture ${this.#path || this.#options.folder} cannot be written: ${String(cause)}`;
        this.#options.onFailure(new StoreError(text, { cause }));
      }
    });
  }

  #open(atMicros: number): void {
    const { folder, name } = this.#options;
    makeFolder(folder, 0o700);
    const time = new Date(Math.floor(atMicros / 1000)).toISOString().replaceAll(/[-:]/gu, '');
    const stem = `${name}-${time.replace('.', '')}`;
    for (let number = 0; this.#handle === undefined; number++) {
      this.#path = join(folder, `${stem}${number === 0 ? '' : `-${number}`}.cap`);
      this.#handle = openNew(this.#path);
    }
    this.#fileBytes = 0;
    this.#isTurning = false;
    this.#writeAll(Buffer.from(fileMark.capture, 'latin1'));
    this.#retire(Math.floor(atMicros / 1000));
  }

  #write(block: Buffer): void {
    this.#writeAll(block);
    this.#fileBytes += block.length;
  }

  #writeAll(bytes: Buffer): void {
    if (this.#handle !== undefined) writeAll(this.#handle, bytes);
  }

  /** Deletes the oldest files of this name beyond what is to be kept. */
  #retire(nowMs: number): void {
    const { folder, name, keep } = this.#options;
    if (keep === undefined) return;
    const files = captureFiles(folder, name)
      .filter((path) => path !== this.#path)
      .map((path) => ({ path, status: statSync(path) }));
    let bytes = files.reduce((sum, { status }) => sum + status.size, 0);
    for (const { path, status } of files) {
      const isOld = nowMs - status.mtimeMs > keep.days * 86_400_000;
      if (!isOld && bytes <= keep.bytesMax) break;
      rmSync(path, { force: true });
      bytes -= status.size;
    }
  }
}

/** Returns the captures of `name` in a folder, oldest first. */
export function captureFiles(folder: string, name: string): readonly string[] {
  const tail = /^-\d{8}T\d{9}Z(?:-\d+)?\.cap$/u;
  return readdirSync(folder)
    .filter((file) => file.startsWith(name) && tail.test(file.slice(name.length)))
    .sort()
    .map((file) => join(folder, file));
}

/** Returns the handle of a file that was not there, or undefined if it was. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}
