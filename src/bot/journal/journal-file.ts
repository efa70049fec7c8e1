/**
 * The journal of one run as files: lines are appended in the order of the engine, and a full file
 * is followed by the next segment.
 *
 * Invariants: no line is split between segments; a segment records the number of batches before it,
 * so that a missing segment is noticed; the total size of a bot's journals is bounded, and the
 * oldest are deleted first.
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
  /** Path of the first segment, which identifies the journal. */
  readonly path: string;
  /** Writes the lines together. If that fails, none of those in the last segment is written. */
  append(...lines: readonly string[]): void;
  close(): void;
};

export type JournalFileOptions = JournalBounds & {
  /** Size at which a segment is full, in bytes. */
  readonly segmentBytesMax: number;
};

/** Enough for about 20 hours of a busy market uncompressed, or a week compressed. */
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
  const write = (lines: string): void => {
    const text = Buffer.from(lines);
    try {
      attempt(path, () => writeAll(handle, text));
    } catch (failure) {
      // A full disk may have stored a part of a line, which no replay could read.
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
    append(...lines) {
      let waiting = '';
      for (const line of lines) {
        if (batches > 0 && bytes + waiting.length + line.length > options.segmentBytesMax) {
          write(waiting);
          waiting = '';
          rotate();
        }
        waiting += line;
        // The first line is the header.
        batches++;
      }
      write(waiting);
    },
    close() {
      stopCompressing.abort();
      closeSync(handle);
    },
  };
}

/**
 * Compresses a full segment in the background. If that fails, because the segment was deleted, the
 * process ends or the disk is full, the segment stays uncompressed.
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
 * Reads the lines of the segment at `path`, including a last line without a line feed. Throws
 * NotFoundError if it does not exist, DecodeError if it is not a file, StoreError if it cannot be
 * read.
 */
export async function* journalLines(path: string): AsyncGenerator<string> {
  try {
    // Reading a pipe or a device might never end.
    if (!statSync(path).isFile())
      throw new DecodeError(`${path} is not a journal: it is not a regular file`);
    // Not node:readline, which also splits at characters that may occur in the text of a frame.
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
    if (code === 'ENOENT')
      throw new NotFoundError(`there is no journal ${path}; every run writes one`);
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
