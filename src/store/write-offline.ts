/**
 * Writes a few records into the database of a bot that does not run, for an operator.
 *
 * Invariant: the lock of the database is held meanwhile, so that nothing is written behind the back
 * of a bot; no run is begun, so that the count of crashes stays what it is.
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
 * NotFoundError if there is none, StoreError if it is another bot's or cannot be written.
 */
export function writeOffline(
  path: string,
  namespace: string,
  records: readonly StoreRecord[],
): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined)
    throw new NotFoundError(`there is no database ${path}; a bot that has run leaves one`);
  const truePath = prepareStorePath(path);
  const lock = takeStoreLock(truePath);
  try {
    const { database } = openDatabase(truePath, undefined);
    try {
      const owner = database.prepare(`SELECT value FROM meta WHERE name = 'namespace'`).pluck();
      const found = owner.get() as string | undefined;
      if (found !== namespace)
        throw new StoreError(`${path} belongs to namespace "${found}", not to "${namespace}"`);
      const write = createRecordWriter(database);
      database
        .transaction(() => {
          for (const record of records) write(record);
        })
        .immediate();
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
