/** The journal of one run as a file: lines are appended as they are, in the order of the engine. */
import { closeSync, mkdirSync, openSync, readdirSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from '../domain/errors.ts';

export type JournalFile = {
  readonly path: string;
  append(line: string): void;
  close(): void;
};

/** Creates the journal of run `runId` in `folder`. Throws StoreError if it cannot be written. */
export function createJournalFile(folder: string, runId: number): JournalFile {
  const path = journalPath(folder, runId);
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

/** Returns the path of a run's journal. */
export function journalPath(folder: string, runId: number): string {
  return join(folder, `run-${String(runId).padStart(5, '0')}.jsonl`);
}

/** Returns the journals in `folder`, oldest first. */
export function listJournals(folder: string): readonly string[] {
  return readdirSync(folder)
    .filter((name) => /^run-\d{5,}\.jsonl$/u.test(name))
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
