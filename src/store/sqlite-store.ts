/**
 * The durable store: every record of a bot in one SQLite database.
 *
 * Invariants: a commit is on the disk when `commit` returns, whole or not at all, in the file that
 * its path names; only one process writes; after a failed commit the store takes no other, since
 * the records would have a hole.
 */
import type { Database } from 'better-sqlite3';
import { assert, StoreError } from '../domain/errors.ts';
import type { Restored, Store, StoreRecord } from '../domain/records.ts';
import { archiveRows } from './archive.ts';
import type { Upgrade } from './migrate.ts';
import {
  type DatabaseOptions,
  openDatabase,
  prepareStorePath,
  sqliteVersionOf,
} from './open-database.ts';
import { OwnFiles } from './own-files.ts';
import { createRecordWriter } from './record-writer.ts';
import { restoreFrom } from './restore.ts';
import { describeFailure } from './sqlite-failure.ts';
import { createSqliteReports } from './sqlite-reports.ts';
import { type StoreLock, takeStoreLock } from './store-lock.ts';
import type { StoreReports } from './store-reports.ts';
import { type StoreTrouble, WalWatch } from './wal-watch.ts';

/** What is known about the process that opens the store; kept with its run. */
export type RunIdentity = {
  readonly configHash: string;
  readonly codeHash: string;
  readonly nodeVersion: string;
};

export type SqliteStoreOptions = {
  readonly nowMs: number;
  /** First part of every client_order_id; a database belongs to one namespace for ever. */
  readonly namespace: string;
  /** What a new database is told apart by, for ever; empty unless given. */
  readonly identity?: string;
  /** Whose it is, for the message of one that is of another; unless given, the namespace alone. */
  readonly bot?: string;
  readonly run: RunIdentity;
} & DatabaseOptions;

/**
 * Opens the database at `path`, creates it if it is missing, and begins a run. Throws
 * AlreadyRunningError if another process has it open; StoreError if it cannot be used: damaged, not
 * ours, from a newer version, of another namespace, or not durable here.
 */
export function openSqliteStore(path: string, options: SqliteStoreOptions): SqliteStore {
  const truePath = prepareStorePath(path);
  const lock = takeStoreLock(truePath);
  try {
    return new SqliteStore(truePath, lock, options);
  } catch (failure) {
    lock.release();
    throw failure;
  }
}

export class SqliteStore implements Store {
  /** The true path of the database. */
  readonly path: string;
  readonly runId: number;
  /** Of the database; empty for one of a version that had none. */
  readonly identity: string;
  /** What opening did to a database of an older version. */
  readonly upgrade: Upgrade | undefined;
  readonly reports: StoreReports;
  readonly #database: Database;
  readonly #lock: StoreLock;
  readonly #wal: WalWatch;
  readonly #files: OwnFiles;
  readonly #commit: (records: readonly StoreRecord[], commitNumber: number) => void;
  #commitNumber = 0;
  #failed = false;
  #closed = false;

  /** Use {@link openSqliteStore}. */
  constructor(path: string, lock: StoreLock, options: SqliteStoreOptions) {
    this.path = path;
    this.#lock = lock;
    const { database, upgrade } = openDatabase(path, options);
    this.#database = database;
    this.upgrade = upgrade;
    this.#wal = new WalWatch(database, path);
    try {
      this.runId = beginRun(this.#database, path, options);
      this.identity = readMeta(this.#database, 'identity') ?? '';
      this.reports = createSqliteReports(this.#database);
      this.#commit = this.#prepareCommit();
      this.#files = new OwnFiles([path, `${path}-wal`, `${path}.lock`]);
    } catch (failure) {
      this.#database.close();
      throw failure instanceof StoreError
        ? failure
        : new StoreError(`cannot begin a run in ${path}: ${describeFailure(failure)}`, {
            cause: failure,
          });
    }
  }

  /** Lets `listener` hear what the run should know of the store, as a commit ends. */
  onTrouble(listener: (trouble: StoreTrouble) => void): void {
    this.#wal.onTrouble = listener;
  }

  /** The number of this run's last commit; 0 before the first. */
  get commitNumber(): number {
    return this.#commitNumber;
  }

  /**
   * Writes `records` in one transaction that is on the disk when this returns. Numbers rise within
   * a run. A batch without records writes nothing. Throws StoreError; then nothing of the batch is
   * kept and the store takes no other commit.
   */
  commit(records: readonly StoreRecord[], commitNumber: number): void {
    if (this.#failed)
      throw new StoreError(`${this.path}: a commit failed before; the run must end`);
    try {
      if (!Number.isSafeInteger(commitNumber) || commitNumber <= this.#commitNumber) {
        throw new RangeError(`commit number must be above ${this.#commitNumber}`);
      }
      if (records.length > 0) {
        this.#wal.beforeCommit();
        this.#commit(records, commitNumber);
        // Afterwards, so that nothing is released that went where nobody finds it.
        this.#files.check();
      }
      this.#commitNumber = commitNumber;
    } catch (cause) {
      this.#failed = true;
      throw new StoreError(
        `${this.path}: commit ${commitNumber} of ${records.length} records failed: ` +
          describeFailure(cause),
        { cause },
      );
    }
    this.#wal.afterCommit();
  }

  /**
   * Until when the exchange had nothing of this bot's that the database does not know, by the
   * exchange's clock; undefined if that was never found.
   */
  get comparedMs(): number | undefined {
    const kept = readMeta(this.#database, 'compared_ms');
    return kept === undefined ? undefined : Number.parseInt(kept, 10);
  }

  /** Keeps {@link comparedMs}. Throws StoreError. */
  noteCompared(exchangeMs: number): void {
    this.#write('keep when it was compared', () =>
      this.#database
        .prepare(`INSERT OR REPLACE INTO meta (name, value) VALUES ('compared_ms', ?)`)
        .run(String(exchangeMs)),
    );
  }

  /**
   * Writes what the exchange shows of earlier runs, all or nothing, before the first commit of this
   * one. Throws StoreError.
   */
  complete(records: readonly StoreRecord[]): void {
    assert(this.#commitNumber === 0, 'a database is completed before its run commits');
    const write = createRecordWriter(this.#database);
    this.#write(`take over ${records.length} records`, () => {
      for (const record of records) write(record);
    });
  }

  #write(what: string, write: () => void): void {
    try {
      this.#database.transaction(write).immediate();
    } catch (cause) {
      throw new StoreError(`${this.path}: cannot ${what}: ${describeFailure(cause)}`, { cause });
    }
  }

  /** Returns what a run starts from. Throws StoreError. */
  restore(nowMs: number): Restored {
    try {
      return restoreFrom(this.#database, nowMs);
    } catch (cause) {
      throw new StoreError(`${this.path}: cannot restore: ${describeFailure(cause)}`, { cause });
    }
  }

  /**
   * Moves some rows of what was settled before `beforeMs` into the archive beside the database, for
   * a few milliseconds; returns how many, 0 when nothing is left. Throws StoreError; then nothing
   * is lost, and commits go on.
   */
  archive(beforeMs: number): number {
    try {
      return archiveRows(this.#database, this.path, beforeMs);
    } catch (cause) {
      throw new StoreError(`${this.path}: cannot archive: ${describeFailure(cause)}`, { cause });
    }
  }

  /** Ends the run and lets another process open the database. A second call does nothing. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    try {
      if (!this.#failed) {
        this.#database.prepare('UPDATE runs SET closed = 1 WHERE run_id = ?').run(this.runId);
      }
    } catch (cause) {
      throw new StoreError(`${this.path}: cannot close: ${describeFailure(cause)}`, { cause });
    } finally {
      this.#database.close();
      this.#lock.release();
    }
  }

  #prepareCommit(): (records: readonly StoreRecord[], commitNumber: number) => void {
    const write = createRecordWriter(this.#database);
    const number = this.#database.prepare(
      'UPDATE runs SET commit_number = ? WHERE run_id = ? AND commit_number = ?',
    );
    let storedNumber = 0;
    const all = this.#database.transaction(
      (records: readonly StoreRecord[], commitNumber: number) => {
        for (const record of records) write(record);
        if (number.run(commitNumber, this.runId, storedNumber).changes !== 1)
          throw new StoreError(
            `it does not end with commit ${storedNumber} of run ${this.runId}: somebody restored or changed it`,
          );
      },
    );
    return (records, commitNumber) => {
      all.immediate(records, commitNumber);
      storedNumber = commitNumber;
    };
  }
}

function readMeta(database: Database, name: string): string | undefined {
  return database
    .prepare<[string], string>('SELECT value FROM meta WHERE name = ?')
    .pluck()
    .get(name);
}

function ownerOf({ bot, namespace }: SqliteStoreOptions): string {
  const ours = `the configuration's is "${namespace}"`;
  return bot === undefined ? ours : `${ours} (bot: ${bot})`;
}

function beginRun(database: Database, path: string, options: SqliteStoreOptions): number {
  const begin = database.transaction(() => {
    const namespace = readMeta(database, 'namespace');
    if (namespace === undefined) {
      const insert = database.prepare('INSERT INTO meta (name, value) VALUES (?, ?)');
      insert.run('namespace', options.namespace);
      if (options.identity !== undefined) insert.run('identity', options.identity);
    } else if (namespace !== options.namespace) {
      throw new StoreError(
        `${path} is the database of another bot: it belongs to namespace "${namespace}", and ` +
          `${ownerOf(options)}; "store:" must name a file of its own for it`,
      );
    }
    const { configHash, codeHash, nodeVersion } = options.run;
    return database
      .prepare(
        `INSERT INTO runs (started_ms, config_hash, code_hash, node_version, sqlite_version)
         VALUES (?, ?, ?, ?, ?)`,
      )
      .run(options.nowMs, configHash, codeHash, nodeVersion, sqliteVersionOf(database))
      .lastInsertRowid as number;
  });
  return begin.immediate();
}
