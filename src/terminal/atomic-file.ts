/** Writes files atomically: a file is complete, or it does not exist. */
import { closeSync, fsync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { StoreError } from '../domain/errors.ts';
import { PartialFile } from '../runtime/partial-file.ts';

const fsyncLater = promisify(fsync);

/**
 * Lets `write` fill a temporary file in the folder of `path`, and renames it to `path` once it is
 * completely on the disk. Throws what `write` throws, and StoreError for a disk error; in both
 * cases the temporary file is removed.
 */
export async function writeFileAtomically(
  path: string,
  write: (partial: string) => void | Promise<void>,
): Promise<void> {
  const partial = new PartialFile(path);
  try {
    // Without a wait that is not needed, the disk is busy as soon as this function returns.
    const written = write(partial.path);
    if (written !== undefined) await written;
    await syncLater(partial.path);
    partial.keep();
  } catch (cause) {
    throw failure(path, partial, cause);
  }
}

/** Writes `text` to `path` in the same way, synchronously. */
export function writeTextAtomically(path: string, text: string): void {
  const partial = new PartialFile(path);
  try {
    writeFileSync(partial.path, text);
    sync(partial.path);
    partial.keep();
  } catch (cause) {
    throw failure(path, partial, cause);
  }
}

function failure(path: string, partial: PartialFile, cause: unknown): unknown {
  partial.discard();
  const { syscall, message } = cause as NodeJS.ErrnoException;
  if (syscall === undefined) return cause;
  return new StoreError(`${path} cannot be written: ${message}`, { cause });
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** As {@link sync}, while the program goes on. */
async function syncLater(path: string): Promise<void> {
  const file = openSync(path, 'r+');
  try {
    await fsyncLater(file);
  } finally {
    closeSync(file);
  }
}
