/**
 * Writes a few records into the database of a bot that is not running, for an operator.
 *
 * Invariants: the lock of the database is held, so that the bot cannot start in the meantime; no
 * run is begun, so that the number of crashes does not change.
 */
import { statSync } from 'node:fs';
import { NotFoundError, StoreError } from '../domain/errors.ts';
import type { StoreRecord } from '../domain/records.ts';
import { openDatabase, prepareStorePath } from './open-database.ts';
import { createRecordWriter } from './record-writer.ts';
import { describeFailure } from './sqlite-failure.ts';
import { takeStoreLock } from './store-lock.ts';

/**
 * Commits `records` to the database at `path`. Throws AlreadyRunningError if a process has it open,
 * NotFoundError if it does not exist, StoreError if it belongs to another bot or cannot be written.
 */
export function writeOffline(
  path: string,
  namespace: string,
  records: readonly StoreRecord[],
): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new NotFoundError(`there is no database ${path}; start the bot once to create it`);
  const realPath = prepareStorePath(path);
  const lock = takeStoreLock(realPath);
  try {
    const { database } = openDatabase(realPath, undefined);
    try {
      const owner = database.prepare(`SELECT value FROM meta WHERE name = 'namespace'`).pluck();
      const found = owner.get() as string | undefined;
      if (found !== namespace)
        throw new StoreError(`${path} belongs to namespace "${found}", not to "${namespace}"`);
      const write = createRecordWriter(database);
      database.transaction(() => write(records)).immediate();
    } catch (cause) {
      if (cause instanceof StoreError) throw cause;
      throw new StoreError(`${path} cannot be written: ${describeFailure(cause)}`, { cause });
    } finally {
      database.close();
    }
  } finally {
    lock.release();
  }
}
