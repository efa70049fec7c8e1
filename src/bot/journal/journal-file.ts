/**
 * The journal of one run as files: lines are appended as they are, in the order of the engine, and
 * a full file is followed by the next segment.
 *
 * Invariants: a line is whole in one segment; a segment says how many batches are before it, so
 * that a missing one is noticed; what a bot keeps of its journals is bounded, and the oldest go.
 */
import {
  closeSync,
  createReadStream,
  createWriteStream,
  ftruncateSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { DecodeError, MillraceError, NotFoundError, StoreError } from '../../domain/errors.ts';
import { encodeSegment } from '../../engine/journal.ts';
import { makeFolder } from '../../runtime/make-folder.ts';
import { writeAll } from '../../runtime/write-all.ts';
import {
  type JournalBounds,
  type JournalName,
  pruneJournals,
  segmentNameOf,
} from './journal-segments.ts';

export type JournalFile = {
  /** The first segment, which gives the journal its name. */
  readonly path: string;
  append(line: string): void;
  close(): void;
};

export type JournalFileOptions = JournalBounds & {
  /** A segment is full at this size. */
  readonly segmentBytesMax: number;
};

/** About 20 hours of a lively market as written, and a week compressed. */
export const journalDefaults: JournalFileOptions = {
  segmentBytesMax: 64 * 2 ** 20,
  bytesMax: 2e9,
  filesMax: 2_000,
};

/** Creates the journal of a run in `folder`. Throws StoreError if it cannot be written. */
export function createJournalFile(
  folder: string,
  name: JournalName,
  options: JournalFileOptions = journalDefaults,
): JournalFile {
  const stopCompressing = new AbortController();
  const { signal } = stopCompressing;
  let number = 1;
  let batches = -1;
  let bytes = 0;
  const pathOf = (segment: number): string => join(folder, segmentNameOf(name, segment));
  const first = pathOf(1);
  let path = first;
  const open = (): number => attempt(path, () => openSync(path, 'wx', 0o600));
  const prune = (): void => attempt(folder, () => pruneJournals(folder, name.bot, options, path));
  const write = (line: string): void => {
    const text = Buffer.from(line);
    try {
      attempt(path, () => writeAll(handle, text));
    } catch (failure) {
      // A full disk takes a part of a line, which no replay could read.
      ftruncateSync(handle, bytes);
      throw failure;
    }
    bytes += text.length;
  };
  const rotate = (): void => {
    const full = path;
    closeSync(handle);
    number++;
    path = pathOf(number);
    handle = open();
    bytes = 0;
    write(encodeSegment({ run: String(name.runId), number, batches }));
    prune();
    void compress(full, signal, prune);
  };

  attempt(folder, () => makeFolder(folder, 0o700));
  let handle = open();
  prune();
  return {
    path: first,
    append(line) {
      if (batches > 0 && bytes + line.length > options.segmentBytesMax) rotate();
      write(line);
      // The first line is the header.
      batches++;
    },
    close() {
      stopCompressing.abort();
      closeSync(handle);
    },
  };
}

/**
 * Compresses a full segment, beside the work of the process. Whatever goes wrong, the segment stays
 * as it is: it was pruned meanwhile, the process ends, or the disk is full.
 */
async function compress(path: string, signal: AbortSignal, done: () => void): Promise<void> {
  const partial = `${path}.gz.tmp`;
  try {
    const output = createWriteStream(partial, { mode: 0o600 });
    await pipeline(createReadStream(path), createGzip({ level: 1 }), output, { signal });
    renameSync(partial, `${path}.gz`);
    rmSync(path, { force: true });
    done();
  } catch {
    rmSync(partial, { force: true });
  }
}

/**
 * Reads the lines of the segment at `path`, the last one even if its line feed is missing. Throws
 * NotFoundError if there is none, DecodeError if it is no file, StoreError if it cannot be read.
 */
export async function* journalLines(path: string): AsyncGenerator<string> {
  try {
    // A pipe or a device could be waited for for ever.
    if (!statSync(path).isFile()) throw new DecodeError(`${path} is no journal: it is no file`);
    // Not the lines of node:readline: those also end at characters that stand in a frame's text.
    let rest = '';
    const file = createReadStream(path);
    const text = path.endsWith('.gz') ? file.pipe(createGunzip()) : file;
    file.once('error', (error) => text.destroy(error));
    for await (const chunk of text.setEncoding('utf8')) {
      const lines = `${rest}${String(chunk)}`.split('\n');
      rest = lines.pop() ?? '';
      yield* lines;
    }
    if (rest !== '') yield rest;
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined;
    if (code === undefined || cause instanceof MillraceError) throw cause;
    if (code === 'ENOENT') throw new NotFoundError(`no journal ${path}; a run leaves one`);
    throw new StoreError(`journal ${path} cannot be read (${code})`, { cause });
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StoreError(`journal ${path} cannot be written: ${String(cause)}`, { cause });
  }
}
