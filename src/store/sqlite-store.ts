/**
 * The durable store: every record of a bot in one SQLite database.
 *
 * Invariants: a commit is atomic and is on the disk, in the file at the store's path, when `commit`
 * returns; only one process writes; after a failed commit the store refuses all others, since
 * records would be missing.
 */
import type { Database } from 'better-sqlite3';
import { assert, StoreError } from '../domain/errors.ts';
import type { Restored, Store, StoreRecord } from '../domain/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { archiveRows } from './archive.ts';
import { withLastStates } from './last-order-states.ts';
import type { Upgrade } from './migrate.ts';
import {
  type DatabaseOptions,
  openDatabase,
  prepareStorePath,
  sqliteVersionOf,
} from './open-database.ts';
import { createRecordWriter } from './record-writer.ts';
import { restoreFrom } from './restore.ts';
import { describeFailure } from './sqlite-failure.ts';
import { createSqliteReports } from './sqlite-reports.ts';
import { StoreFileCheck } from './store-file-check.ts';
import { type StoreLock, takeStoreLock } from './store-lock.ts';
import type { StoreReports } from './store-reports.ts';
import { type StoreTrouble, WalWatch } from './wal-watch.ts';

/** Describes the process that opens the store; stored with its run. */
export type RunIdentity = {
  readonly configHash: string;
  readonly codeHash: string;
  readonly nodeVersion: string;
};

export type SqliteStoreOptions = {
  readonly nowMs: number;
  /** First part of every client_order_id; the namespace of a database never changes. */
  readonly namespace: string;
  /** The unique identity of a new database, which never changes; empty by default. */
  readonly identity?: string;
  /** The bot's name, for the error about the database of another bot. */
  readonly bot?: string;
  readonly run: RunIdentity;
  /**
   * With it, the files of the store are looked at once a second or every {@link recordsUnchecked}
   * records; without it, after each commit.
   */
  readonly clock?: Pick<Clock, 'monotonicMicros'>;
} & DatabaseOptions;

const checkEveryMicros = 1_000_000;
/** These lengthen the write-ahead log by 25 MB at most: far less than its bound. */
const recordsUnchecked = 100;

/**
 * Opens the database at `path`, creating it if it is missing, and begins a run. Throws
 * AlreadyRunningError if another process has it open; StoreError if it cannot be used: damaged, not
 * ours, from a newer version, of another namespace, or not durable on this file system.
 */
export function openSqliteStore(path: string, options: SqliteStoreOptions): SqliteStore {
  const realPath = prepareStorePath(path);
  const lock = takeStoreLock(realPath);
  try {
    return new SqliteStore(realPath, lock, options);
  } catch (failure) {
    lock.release();
    throw failure;
  }
}

export class SqliteStore implements Store {
  /** The real path of the database. */
  readonly path: string;
  readonly runId: number;
  /** The identity of the database; empty if an older version created it. */
  readonly identity: string;
  /** The upgrade made by opening an older database. */
  readonly upgrade: Upgrade | undefined;
  readonly reports: StoreReports;
  readonly #database: Database;
  readonly #lock: StoreLock;
  readonly #wal: WalWatch;
  readonly #files: StoreFileCheck;
  readonly #clock: Pick<Clock, 'monotonicMicros'> | undefined;
  #checkedMicros = Number.NEGATIVE_INFINITY;
  #recordsUnchecked = 0;
  readonly #commit: (records: readonly StoreRecord[], commitNumber: number) => void;
  #commitNumber = 0;
  #failed = false;
  #closed = false;

  /** Use {@link openSqliteStore}. */
  constructor(path: string, lock: StoreLock, options: SqliteStoreOptions) {
    this.path = path;
    this.#lock = lock;
    this.#clock = options.clock;
    const { database, upgrade } = openDatabase(path, options);
    this.#database = database;
    this.upgrade = upgrade;
    this.#wal = new WalWatch(database, path);
    try {
      this.runId = beginRun(this.#database, path, options);
      this.identity = readMeta(this.#database, 'identity') ?? '';
      this.reports = createSqliteReports(this.#database);
      this.#commit = this.#prepareCommit();
      this.#files = new StoreFileCheck([path, `${path}-wal`, `${path}.lock`]);
    } catch (failure) {
      this.#database.close();
      throw failure instanceof StoreError
        ? failure
        : new StoreError(`cannot begin a run in ${path}: ${describeFailure(failure)}`, {
            cause: failure,
          });
    }
  }

  /** Sets the listener for problems of the store; it is called at the end of a commit. */
  onTrouble(listener: (trouble: StoreTrouble) => void): void {
    this.#wal.onTrouble = listener;
  }

  /** The number of this run's last commit; 0 before the first. */
  get commitNumber(): number {
    return this.#commitNumber;
  }

  /**
   * Writes `records` in one transaction, which is on the disk when this returns. Commit numbers
   * rise within a run. A batch without records writes nothing. Throws StoreError; then no record of
   * the batch is stored, and the store refuses all later commits.
   */
  commit(records: readonly StoreRecord[], commitNumber: number): void {
    this.#writeAll(records, commitNumber, this.#commitNumber + 1);
  }

  /** As {@link commit}, for records of earlier batches, under the number of the last one. */
  explain(records: readonly StoreRecord[]): void {
    this.#writeAll(records, this.#commitNumber, this.#commitNumber);
  }

  #writeAll(records: readonly StoreRecord[], commitNumber: number, numberMin: number): void {
    if (this.#failed)
      throw new StoreError(`${this.path}: a commit failed before; the run must end`);
    let isCheckDue = false;
    try {
      if (!Number.isSafeInteger(commitNumber) || commitNumber < numberMin)
        throw new RangeError(`commit number must be above ${numberMin - 1}`);
      if (records.length > 0) {
        this.#wal.beforeCommit();
        this.#commit(records, commitNumber);
        this.#recordsUnchecked += records.length;
        isCheckDue = this.#isCheckDue();
        // After the commit, so that no effect is released if the records went to a lost file.
        if (isCheckDue) this.#files.check();
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
    if (isCheckDue) this.#wal.afterCommit();
  }

  /** Whether the files have to be looked at after this commit; if so, notes that they are. */
  #isCheckDue(): boolean {
    if (this.#clock === undefined) return true;
    const nowMicros = this.#clock.monotonicMicros();
    const isDue =
      nowMicros - this.#checkedMicros >= checkEveryMicros ||
      this.#recordsUnchecked >= recordsUnchecked ||
      this.#wal.isLong;
    if (!isDue) return false;
    this.#checkedMicros = nowMicros;
    this.#recordsUnchecked = 0;
    return true;
  }

  /**
   * The time, by the exchange's clock, up to which the database is known to have everything that
   * the exchange has of this bot; undefined if they were never compared.
   */
  get comparedMs(): number | undefined {
    const kept = readMeta(this.#database, 'compared_ms');
    return kept === undefined ? undefined : Number.parseInt(kept, 10);
  }

  /** Stores {@link comparedMs}. Throws StoreError. */
  noteCompared(exchangeMs: number): void {
    this.#write('store the time of the comparison', () =>
      this.#database
        .prepare(`INSERT OR REPLACE INTO meta (name, value) VALUES ('compared_ms', ?)`)
        .run(String(exchangeMs)),
    );
  }

  /**
   * Writes records of earlier runs that were found at the exchange, in one transaction, before the
   * first commit of this run. Throws StoreError.
   */
  complete(records: readonly StoreRecord[]): void {
    assert(this.#commitNumber === 0, 'complete must come before the first commit of a run');
    const write = createRecordWriter(this.#database);
    this.#write(`take over ${records.length} records`, () => write(records));
  }

  #write(what: string, write: () => void): void {
    try {
      this.#database.transaction(write).immediate();
    } catch (cause) {
      throw new StoreError(`${this.path}: cannot ${what}: ${describeFailure(cause)}`, { cause });
    }
  }

  /** Returns the state from which a run starts. Throws StoreError. */
  restore(nowMs: number): Restored {
    try {
      return restoreFrom(this.#database, nowMs);
    } catch (cause) {
      throw new StoreError(`${this.path}: cannot restore: ${describeFailure(cause)}`, { cause });
    }
  }

  /**
   * Moves some rows that were settled before `beforeMs` into the archive, which takes a few
   * milliseconds. Returns their number; 0 when no more rows can be moved or a commit has failed.
   * Throws StoreError; no row is then lost, and commits continue.
   */
  archive(beforeMs: number): number {
    if (this.#failed) return 0;
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
        write(withLastStates(records));
        if (number.run(commitNumber, this.runId, storedNumber).changes !== 1)
          throw new StoreError(
            `the database does not end with commit ${storedNumber} of run ${this.runId}: another program restored or changed it`,
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
  const ours = `this configuration has "${namespace}"`;
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
          `${ownerOf(options)}; "store:" must name a file of its own for this bot`,
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
