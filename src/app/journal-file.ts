/** The journal of one run as a file: lines are appended as they are, in the order of the engine. */
import {
  closeSync,
  createReadStream,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DecodeError, MillraceError, NotFoundError, StoreError } from '../domain/errors.ts';

export type JournalFile = {
  readonly path: string;
  append(line: string): void;
  close(): void;
};

/** What a journal is named after; names of one bot sort by time. */
export type JournalName = {
  readonly bot: string;
  readonly runId: number;
  readonly startedMs: number;
};

/** Creates the journal of a run in `folder`. Throws StoreError if it cannot be written. */
export function createJournalFile(folder: string, name: JournalName): JournalFile {
  const path = join(folder, fileNameOf(name));
  const handle = attempt(path, () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return openSync(path, 'wx', 0o600);
  });
  return {
    path,
    append: (line) => attempt(path, () => writeAll(handle, Buffer.from(line))),
    close: () => closeSync(handle),
  };
}

/** A nearly full disk may take a part of it only; the next call then says why. */
function writeAll(handle: number, bytes: Uint8Array): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(handle, bytes, written, bytes.length - written);
}

function fileNameOf({ bot, runId, startedMs }: JournalName): string {
  const time = new Date(startedMs).toISOString().replaceAll(/[-:]|\.\d+Z$/gu, '');
  return `${bot}-${time}-run${runId}.jsonl`;
}

/** Returns the journals in `folder`, oldest first. */
export function listJournals(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^.+-\d{8}T\d{6}-run\d+\.jsonl$/u.test(name))
    .sort()
    .map((name) => join(folder, name));
}

/**
 * Reads the lines of the journal at `path`, the last one even if its line feed is missing. Throws
 * NotFoundError if there is none, DecodeError if it is no file, StoreError if it cannot be read.
 */
export async function* journalLines(path: string): AsyncGenerator<string> {
  try {
    // A pipe or a device could be waited for for ever.
    if (!statSync(path).isFile()) throw new DecodeError(`${path} is no journal: it is no file`);
    // Not the lines of node:readline: those also end at characters that stand in a frame's text.
    let rest = '';
    for await (const chunk of createReadStream(path, 'utf8')) {
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
