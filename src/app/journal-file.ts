/** The journal of one run as a file: lines are appended as they are, in the order of the engine. */
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.ts';

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
    append: (line) => attempt(path, () => void writeSync(handle, line)),
    close: () => closeSync(handle),
  };
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

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new StoreError(`journal ${path} cannot be written: ${String(cause)}`, { cause });
  }
}
