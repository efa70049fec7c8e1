/** Files that are whole or not there. */
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';
import { PartialFile } from '../runtime/partial-file.ts';

/**
 * Has `write` fill a file of a temporary name beside `path`, which gets its own name when all of it
 * is on the disk. Throws what `write` throws, and StoreError for the disk; then nothing is left.
 */
export async function writeWhole(
  path: string,
  write: (partial: string) => void | Promise<void>,
): Promise<void> {
  const partial = new PartialFile(path);
  try {
    await write(partial.path);
    sync(partial.path);
    partial.keep();
  } catch (cause) {
    throw failure(path, partial, cause);
  }
}

/** The same at once, of a text. */
export function writeTextWhole(path: string, text: string): void {
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
