/**
 * Ensures one writer per database by a lock of the operating system: an exclusive transaction on an
 * empty SQLite file next to the database, open for the life of the process.
 *
 * Invariants: the system releases the lock when the process ends in any way; readers of the
 * database never touch it; the lock file stays, and its existence means nothing. A second file
 * names the holder; it is believed only if that process still runs.
 */
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { AlreadyRunningError, StoreError } from '../domain/errors.ts';
import { processIdentityOf } from '../runtime/process-identity.ts';
import { sqliteCodeOf } from './sqlite-failure.ts';

export type StoreLock = { release(): void };

/** The open lock files. The garbage collector closes a database that nothing refers to. */
const held = new Set<Database>();

/** Longer than {@link isStoreLocked} blocks the lock file, and far shorter than a bot does. */
const waitMsMax = 250;

/** Takes the lock of the database at `path`. Throws AlreadyRunningError if any process holds it. */
export function takeStoreLock(path: string): StoreLock {
  const lockPath = `${path}.lock`;
  let database: Database | undefined;
  try {
    database = new SqliteDatabase(lockPath, { timeout: waitMsMax });
    chmodSync(lockPath, 0o600);
    database.pragma('locking_mode = EXCLUSIVE');
    database.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    database?.close();
    if (sqliteCodeOf(cause)?.startsWith('SQLITE_BUSY')) {
      throw new AlreadyRunningError(
        `${holderOf(path) ?? 'another process'} has the database ${path} open; stop it, or give ` +
          'this bot a store of its own',
        { cause },
      );
    }
    throw new StoreError(`cannot lock ${lockPath}: ${String(cause)}`, { cause });
  }
  const lock = database;
  held.add(lock);
  noteHolder(path);
  return {
    release: () => {
      rmSync(holderPathOf(path), { force: true });
      held.delete(lock);
      lock.close();
    },
  };
}

function holderPathOf(path: string): string {
  return `${path}.lock-holder`;
}

/** Notes this process for the error message of others. A failure to write it is ignored. */
function noteHolder(path: string): void {
  try {
    const identity = processIdentityOf(process.pid) ?? String(process.pid);
    writeFileSync(holderPathOf(path), identity, { mode: 0o600 });
  } catch {
    // The lock works without the note.
  }
}

/** Returns for example `process 4711` if the process that noted itself still runs. */
function holderOf(path: string): string | undefined {
  try {
    const identity = readFileSync(holderPathOf(path), 'utf8');
    const pid = Number.parseInt(identity, 10);
    const runs = Number.isSafeInteger(pid) && processIdentityOf(pid) === identity;
    return runs ? `process ${pid}` : undefined;
  } catch {
    return undefined;
  }
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
    throw new StoreError(`cannot read ${lockPath}: ${String(cause)}`, { cause });
  } finally {
    database?.close();
  }
}
