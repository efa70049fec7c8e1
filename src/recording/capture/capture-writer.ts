/**
 * Writes market streams as received: collects lines for a few seconds, compresses them in the
 * background and appends them as one checksummed block.
 *
 *     append ─▶ lines ──5 s or 256 KiB──▶ compress ─▶ block at the end of the file
 *
 * A block is in the file as a whole or not at all. A killed process loses the lines of the last
 * seconds and may leave a torn block, which readers drop and report. Earlier blocks are never
 * changed, and the next process writes another file. Memory is bounded: when the disk is too slow,
 * lines are dropped and the gap is marked. A new file begins at a size limit and with each day
 * (UTC). Every file can be read alone: it begins with the rules and the books of its markets.
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
  /** First part of the file names: the name of a bot or a venue. */
  readonly name: string;
  /** Describes the origin of the streams; the first line of every file. */
  readonly begin: Readonly<Record<string, unknown>>;
  readonly fileBytesMax?: number;
  /** Files of this name beyond these limits are deleted, oldest first. Default: keep all. */
  readonly keep?: { readonly bytesMax: number; readonly days: number } | undefined;
  /** Returns the entries after the first line of a file: current rules and books of all markets. */
  readonly firstEntries: () => readonly Omit<CaptureEntry, 'atMicros'>[];
  /** Removes secrets from received text. */
  readonly hide: (text: string) => string;
  /** Called once if the disk fails; nothing is written afterwards. */
  readonly onFailure: (error: StoreError) => void;
};

const blockBytesMax = 256 * 1024;
const waitingBytesMax = 16 * 1024 * 1024;
const fileBytesMaxDefault = 64 * 1024 * 1024;
const dayMicros = 86_400_000_000;
const deflateInBackground = promisify(deflateRaw);

export class CaptureWriter {
  readonly #options: CaptureWriterOptions;
  readonly #fileBytesMax: number;
  #handle: number | undefined;
  #path = '';
  #fileBytes = 0;
  #day = 0;
  /** The next file has been requested and is not open yet. */
  #isRotating = false;
  #lines: string[] = [];
  #lineBytes = 0;
  #waitingBytes = 0;
  /** Number of lines dropped and not yet marked in the file, by pair. */
  readonly #dropped = new Map<string, number>();
  #lastMicros = 0;
  #work: Promise<void> = Promise.resolve();
  #hasFailed = false;

  /** Nothing is written before the first entry. */
  constructor(options: CaptureWriterOptions) {
    this.#options = options;
    this.#fileBytesMax = options.fileBytesMax ?? fileBytesMaxDefault;
  }

  /** The path of the current file; empty before the first entry. */
  get path(): string {
    return this.#path;
  }

  append(entry: CaptureEntry): void {
    if (this.#hasFailed) return;
    const atMicros = Math.max(this.#lastMicros, entry.atMicros);
    const kept = { ...entry, atMicros, text: this.#options.hide(entry.text) };
    if (this.#mustRotate(atMicros)) this.#rotate(atMicros);
    this.#lastMicros = atMicros;
    if (this.#waitingBytes > waitingBytesMax) {
      this.#dropped.set(entry.pair, (this.#dropped.get(entry.pair) ?? 0) + 1);
      return;
    }
    this.#markDropped();
    this.#push(kept);
    if (this.#lineBytes >= blockBytesMax) void this.flush();
  }

  /**
   * Starts writing the collected lines; resolves when they are in the file. Call it every few
   * seconds.
   */
  flush(): Promise<void> {
    if (this.#lines.length === 0 || this.#hasFailed) return this.#work;
    const bytes = Buffer.from(this.#lines.join(''));
    this.#lines = [];
    this.#lineBytes = 0;
    this.#waitingBytes += bytes.length;
    this.#enqueue(async () => {
      const stored = await deflateInBackground(bytes);
      this.#write(blockOf(captureBlock, codec.deflate, stored, bytes.length));
      this.#waitingBytes -= bytes.length;
    });
    return this.#work;
  }

  /** Writes all lines and the end of the file; resolves when it is on the disk. */
  async close(): Promise<void> {
    this.#end();
    await this.#work;
  }

  #mustRotate(atMicros: number): boolean {
    return (
      !this.#isRotating &&
      (this.#day !== Math.floor(atMicros / dayMicros) || this.#fileBytes >= this.#fileBytesMax)
    );
  }

  /** Ends the current file and begins another. */
  #rotate(atMicros: number): void {
    this.#end();
    this.#day = Math.floor(atMicros / dayMicros);
    this.#isRotating = true;
    this.#enqueue(() => this.#open(atMicros));
    const { begin, firstEntries } = this.#options;
    this.#push({ atMicros, pair: '-', kind: 'begin', text: JSON.stringify(begin) });
    for (const entry of firstEntries()) this.#push({ ...entry, atMicros });
  }

  #end(): void {
    if (this.#day === 0) return;
    this.#push({ atMicros: this.#lastMicros, pair: '-', kind: 'end', text: '' });
    void this.flush();
    this.#enqueue(() => {
      if (this.#handle === undefined) return;
      fsyncSync(this.#handle);
      closeSync(this.#handle);
      this.#handle = undefined;
    });
  }

  #markDropped(): void {
    for (const [pair, count] of this.#dropped)
      this.#push({ atMicros: this.#lastMicros, pair, kind: 'dropped', text: String(count) });
    this.#dropped.clear();
  }

  #push(entry: CaptureEntry): void {
    const line = `${encodeCaptureEntry(entry)}\n`;
    this.#lines.push(line);
    this.#lineBytes += line.length;
  }

  /** Runs `work` when all earlier work is done; a failure ends the recording. */
  #enqueue(work: () => void | Promise<void>): void {
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
    this.#isRotating = false;
    this.#writeAll(Buffer.from(fileMark.capture, 'latin1'));
    this.#deleteOldFiles(Math.floor(atMicros / 1000));
  }

  #write(block: Buffer): void {
    this.#writeAll(block);
    this.#fileBytes += block.length;
  }

  #writeAll(bytes: Buffer): void {
    if (this.#handle !== undefined) writeAll(this.#handle, bytes);
  }

  /** Deletes the oldest files of this name beyond the limits in `keep`. */
  #deleteOldFiles(nowMs: number): void {
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

/** Creates a file and returns its handle; undefined if the file already exists. */
function openNew(path: string): number | undefined {
  try {
    return openSync(path, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}
