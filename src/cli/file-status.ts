/** What stands at a path that was named. */
import { type BigIntStats, statSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';

/**
 * Returns what is at `path`, undefined if nothing is. Throws StoreError if that cannot be known, as
 * in a folder that may not be entered.
 */
export function statusOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch (cause) {
    throw new StoreError(`${path} cannot be looked at: ${(cause as Error).message}`, { cause });
  }
}
