/** Reads the status of a path from the command line. */
import { type BigIntStats, statSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';

/**
 * Returns the status of `path`, undefined if it does not exist. Throws StoreError if it cannot be
 * read, for example in a folder without access permission.
 */
export function statusOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (cause) {
    throw new StoreError(`${path} cannot be read: ${(cause as Error).message}`, { cause });
  }
}
