/**
 * One writer per database, by a lock of the operating system: an exclusive transaction on an empty
 * SQLite file next to the database, open for the life of the process.
 *
 * Invariants: the lock is released by the system when the process ends, however it ends; readers of
 * the database never touch it; the file itself stays and means nothing.
 */
import { chmodSync, statSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { AlreadyRunningError, StoreError } from '../domain/errors.ts';
import { sqliteCodeOf } from './sqlite-failure.ts';

export type StoreLock = { release(): void };

/** Longer than {@link isStoreLocked} holds what it looks at, far shorter than a bot does. */
const lookingMsMax = 250;

/** Takes the lock of the database at `path`. Throws AlreadyRunningError if any process holds it. */
export function takeStoreLock(path: string): StoreLock {
  const lockPath = `${path}.lock`;
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(lockPath, { timeout: lookingMsMax });
    chmodSync(lockPath, 0o600);
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    if (sqliteCodeOf(cause)?.startsWith('SQLITE_BUSY')) {
      throw new AlreadyRunningError(
        `another process has the database ${path} open; stop it, or give this bot a store ` +
          'of its own',
        { cause },
      );
    }
    throw new StoreError(`cannot lock ${lockPath}: ${String(cause)}`, { cause });
  }
  const held = database;
  return { release: () => void held.close() };
}

/** Returns whether a process holds the lock of the database at `path`, without taking it. */
export function isStoreLocked(path: string): boolean {
  const lockPath = `${path}.lock`;
  if (statSync(lockPath, { throwIfNoEntry: false }) === undefined) return false;
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(lockPath, { readonly: true, timeout: 0 });
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return false;
  } catch (cause) {
    if (sqliteCodeOf(cause)?.startsWith('SQLITE_BUSY')) return true;
    throw new StoreError(`cannot look at ${lockPath}: ${String(cause)}`, { cause });
  } finally {
    database?.close();
  }
}
