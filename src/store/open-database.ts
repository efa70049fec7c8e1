/**
 * Opens the database file and checks that it is ours, undamaged and durable: a commit is on the
 * disk when it returns.
 *
 * Invariants: nothing is written into a file that is not a Millrace database; the file is readable
 * by its owner only; durability is asserted after the schema is loaded, because in WAL mode
 * `synchronous` reads 2 before that and may fall back to 1 afterwards.
 */
import {
  chmodSync,
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { MillraceError, NotFoundError, StoreError } from '../domain/errors.ts';
import { makeFolder } from '../runtime/make-folder.ts';
import { registerDecimalSum } from './decimal-sum.ts';
import { migrate, syncPath, type Upgrade } from './migrate.ts';
import { applicationId, olderOrdersView, readableVersionMin, schemaVersion } from './schema.ts';
import { describeFailure, sqliteCodeOf } from './sqlite-failure.ts';

const damaged: readonly string[] = ['SQLITE_NOTADB', 'SQLITE_CORRUPT'];
const damagedFix = 'keep the file and restore a backup, or name another file as the store';

// The first version without the bug that can lose commits when the write-ahead log restarts.
const sqliteVersionMin = [3, 51, 3] as const;

// Above this the full check of every index would delay the start for seconds.
const fullCheckBytesMax = 64 * 1024 * 1024;

// SQLite cuts the write-ahead log to this size when it restarts it. See WalWatch for its bound.
const walBytesKept = 16 * 1024 * 1024;

// Only while opening: a reader may be recovering the log of a killed process. Commits never wait.
const openTimeoutMs = 5_000;

/**
 * Returns the real path of the database, so that every spelling of the path leads to the same lock
 * file. Creates the directory (mode 0700). Throws StoreError if `path` cannot be a file.
 */
export function prepareStorePath(path: string): string {
  try {
    const absolute = resolve(path);
    const found = statSync(absolute, { throwIfNoEntry: false });
    if (found !== undefined) {
      if (!found.isFile()) throw new StoreError('it is not a file');
      return realpathSync(absolute);
    }
    makeFolder(dirname(absolute), 0o700);
    return join(realpathSync(dirname(absolute)), basename(absolute));
  } catch (cause) {
    const { message } = cause as Error;
    throw new StoreError(`cannot use ${path} as a database: ${message}`, { cause });
  }
}

export type OpenedDatabase = {
  readonly database: Database;
  /** The upgrade of an older database; undefined if none was needed. */
  readonly upgrade: Upgrade | undefined;
};

export type DatabaseOptions = {
  /** Size limit of the file: a commit that would exceed it fails. No limit by default. */
  readonly sizeBytesMax?: number | undefined;
  /** Opens the connection, by default with better-sqlite3. A test can make its calls fail. */
  readonly connect?: Connect | undefined;
};

export type Connect = (path: string, options: { readonly timeout: number }) => Database;

const connectDefault: Connect = (path, options) => new SqliteDatabase(path, options);

/**
 * Opens the database at `path` for writing, creating it if it is missing. Throws StoreError; then
 * nothing stays open.
 */
export function openDatabase(path: string, options: DatabaseOptions = {}): OpenedDatabase {
  let database: Database | undefined;
  try {
    const connect = options.connect ?? connectDefault;
    prepareFile(path, connect);
    database = connect(path, { timeout: openTimeoutMs });
    registerDecimalSum(database);
    assertSqliteVersion(sqliteVersionOf(database));
    checkOwnership(database, path);
    checkIntegrity(database, path);
    configure(database, options.sizeBytesMax);
    const upgrade = migrate(database, path);
    assertDurable(database, path);
    database.pragma('busy_timeout = 0');
    return { database, upgrade };
  } catch (cause) {
    database?.close();
    throw storeErrorOf(`cannot open the database ${path}`, cause);
  }
}

/**
 * Opens the database at `path` for reading, also while a bot writes it. Throws StoreError, or
 * NotFoundError if it does not exist.
 */
export function openDatabaseReadOnly(path: string): Database {
  let database: Database | undefined;
  try {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined) {
      throw new NotFoundError(
        `there is no database ${path}: give the home of a bot that has run (--home), or its database file`,
      );
    }
    assertNotEmpty(path, found.size);
    database = new SqliteDatabase(path, { readonly: true, timeout: openTimeoutMs });
    registerDecimalSum(database);
    checkOwnership(database, path);
    const version = numberOf(database, 'user_version');
    if (version < readableVersionMin) {
      throw new StoreError(
        `${path} has schema version ${version}; this program reads ${readableVersionMin} or newer; ` +
          'start the bot once with this version to upgrade the database',
      );
    }
    database.pragma('trusted_schema = OFF');
    const view = olderOrdersView(version);
    if (view !== undefined) database.exec(view);
    return database;
  } catch (cause) {
    database?.close();
    throw storeErrorOf(`cannot read the database ${path}`, cause);
  }
}

/** Creates a missing database, and makes the file readable by its owner only. */
function prepareFile(path: string, connect: Connect): void {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found === undefined) {
    createDatabase(path, connect);
    return;
  }
  assertNotEmpty(path, found.size);
  chmodSync(path, 0o600);
}

function assertNotEmpty(path: string, size: number): void {
  if (size > 0) return;
  throw new StoreError(
    `${path} is an empty file: something emptied the database; restore a backup, or remove the ` +
      'file to start a new database, which the bot compares with the exchange before it trades',
  );
}

/**
 * Creates the database with its tables under another name and then renames it, so that an empty
 * file at `path` is always a database that something has emptied.
 */
function createDatabase(path: string, connect: Connect): void {
  const walBytes = statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  if (walBytes > 0)
    throw new StoreError(
      `${path} is missing, but its write-ahead log ${path}-wal still exists: restore the database, ` +
        'or remove the log too to start a new database',
    );
  const partial = `${path}.partial`;
  for (const end of ['', '-journal']) rmSync(`${partial}${end}`, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  const database = connect(partial, { timeout: openTimeoutMs });
  try {
    assertSqliteVersion(sqliteVersionOf(database));
    migrate(database, partial);
  } finally {
    database.close();
  }
  syncPath(partial);
  renameSync(partial, path);
  syncPath(dirname(path));
}

function checkOwnership(database: Database, path: string): void {
  const version = numberOf(database, 'user_version');
  const application = numberOf(database, 'application_id');
  const objects = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() as number;
  const isNew = version === 0 && application === 0 && objects === 0;
  if (!isNew && application !== applicationId) {
    throw new StoreError(
      `${path} is a SQLite database of another program; name another file as the store`,
    );
  }
  if (version > schemaVersion) {
    throw new StoreError(
      `${path} was written by a newer Millrace (schema version ${version}; this one supports ` +
        `${schemaVersion}); run that version, or name another file as the store`,
    );
  }
}

function checkIntegrity(database: Database, path: string): void {
  const bytes = numberOf(database, 'page_count') * numberOf(database, 'page_size');
  const check = bytes <= fullCheckBytesMax ? 'integrity_check(1)' : 'quick_check(1)';
  const found = database.pragma(check, { simple: true });
  if (found !== 'ok') {
    throw new StoreError(`${path} is damaged: ${String(found)}; ${damagedFix}`);
  }
}

function configure(database: Database, sizeBytesMax: number | undefined): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal')
    throw new StoreError(`write-ahead logging is not available here: journal mode is "${mode}"`);
  database.pragma('synchronous = FULL');
  database.pragma('fullfsync = ON');
  database.pragma('checkpoint_fullfsync = ON');
  database.pragma('foreign_keys = ON');
  database.pragma('trusted_schema = OFF');
  database.pragma('wal_autocheckpoint = 1000');
  database.pragma(`journal_size_limit = ${walBytesKept}`);
  if (sizeBytesMax !== undefined) {
    const pages = Math.max(1, Math.floor(sizeBytesMax / numberOf(database, 'page_size')));
    database.pragma(`max_page_count = ${pages}`);
  }
}

function assertDurable(database: Database, path: string): void {
  // Reading a table loads the schema, which is when SQLite may change the setting.
  database.prepare('SELECT count(*) FROM meta').get();
  const durable = {
    synchronous: 2,
    foreign_keys: 1,
    fullfsync: 1,
  };
  for (const [name, wanted] of Object.entries(durable)) {
    const found = numberOf(database, name);
    if (found !== wanted) {
      throw new StoreError(`${path}: PRAGMA ${name} must be ${wanted}, was ${found}`);
    }
  }
}

function assertSqliteVersion(version: string): void {
  if (isAtLeast(version, sqliteVersionMin)) return;
  throw new StoreError(
    `SQLite must be ${sqliteVersionMin.join('.')} or newer, was ${version}: older versions can ` +
      'lose commits when the write-ahead log restarts; install the versions of the lockfile',
  );
}

/** Returns the version of SQLite, for example `3.54.1`. */
export function sqliteVersionOf(database: Database): string {
  return database.prepare('SELECT sqlite_version()').pluck().get() as string;
}

/** Returns whether the dotted `version` is `least` or newer. */
export function isAtLeast(version: string, least: readonly number[]): boolean {
  const parts = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, wanted] of least.entries()) {
    const part = parts[index] ?? 0;
    if (part !== wanted) return part > wanted;
  }
  return true;
}

function numberOf(database: Database, pragma: string): number {
  return database.pragma(pragma, { simple: true }) as number;
}

function storeErrorOf(what: string, cause: unknown): Error {
  if (cause instanceof MillraceError) return cause;
  const isDamaged = damaged.includes(sqliteCodeOf(cause) ?? '');
  const fix = isDamaged ? `; ${damagedFix}` : '';
  return new StoreError(`${what}: ${describeFailure(cause)}${fix}`, { cause });
}
