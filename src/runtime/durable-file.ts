/** Writes files that survive a crash; failures become StoreError. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { StoreError } from '../domain/errors.ts';
import { writeAll } from './write-all.ts';

/** Replaces a file with `bytes`: after a crash it has either its old or its new content. */
export function writeAtomically(path: string, bytes: Uint8Array, mode = 0o600): void {
  attempt(path, () => {
    const temporary = `${path}.tmp`;
    rmSync(temporary, { force: true });
    const descriptor = openSync(temporary, 'wx', mode);
    try {
      writeAll(descriptor, bytes);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
    syncFolder(dirname(path));
  });
}

/** Makes the file names in a folder durable. */
export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Runs a file operation; its failure becomes a {@link StoreError} that names the file. */
export function attempt<T>(path: string, operation: () => T): T {
  try {
    return operation();
  } catch (cause) {
    throw new StoreError(`${path}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}
