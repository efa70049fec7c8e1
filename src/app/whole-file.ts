/** Files that are whole or not there. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';

/**
 * Has `write` fill a file of a temporary name beside `path`, which gets its own name when all of it
 * is on the disk. Throws what `write` throws, and StoreError for the disk; then nothing is left.
 */
export async function writeWhole(
  path: string,
  write: (partial: string) => void | Promise<void>,
): Promise<void> {
  const partial = `${path}.partial`;
  try {
    await write(partial);
    sync(partial);
    renameSync(partial, path);
  } catch (cause) {
    throw failure(path, partial, cause);
  }
}

/** The same at once, of a text. */
export function writeTextWhole(path: string, text: string): void {
  const partial = `${path}.partial`;
  try {
    writeFileSync(partial, text);
    sync(partial);
    renameSync(partial, path);
  } catch (cause) {
    throw failure(path, partial, cause);
  }
}

function failure(path: string, partial: string, cause: unknown): unknown {
  rmSync(partial, { force: true });
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
