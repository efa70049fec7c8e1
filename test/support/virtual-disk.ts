/**
 * A bot's database as a real file in virtual time, on a disk that may fail.
 *
 * Every call to SQLite is counted; a fault takes hold at the n-th, before it is made or, for a
 * commit, after it was made although an error is told.
 */
import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import SqliteDatabase, { type Database } from 'better-sqlite3';
import type { StoreRecord } from '../../src/domain/records.ts';
import { createSqliteReports } from '../../src/store/sqlite-reports.ts';
import { openSqliteStore, type SqliteStore } from '../../src/store/sqlite-store.ts';
import type { VirtualStore } from './virtual-run.ts';
import { watchDatabase } from './watched-database.ts';

/** What SQLite says of a disk, and its words for it. */
export const diskErrors = {
  SQLITE_FULL: 'database or disk is full',
  SQLITE_IOERR_WRITE: 'disk I/O error',
  SQLITE_BUSY: 'database is locked',
  SQLITE_CORRUPT: 'database disk image is malformed',
} as const;
export type DiskError = keyof typeof diskErrors;

export type DiskFault = {
  readonly error: DiskError;
  /** The call that fails, counted over all lives. */
  readonly atCall: number;
  /** Calls that fail from there on: 1 for a fault that passes. */
  readonly calls: number;
  /** A commit fails only after it was made. */
  readonly isLate?: boolean;
};

export type VirtualDiskOptions = {
  readonly fault?: DiskFault;
  /**
   * When a process dies the power goes too: what was written since the last sync is lost. With
   * `normal` the connection syncs as SQLite does by default in this mode, behind the store's back.
   */
  readonly powerCuts?: 'full' | 'normal';
};

/** Returns a new folder where a sync costs nothing, if the machine has such a place. */
export function newDiskFolder(): string {
  const memory = '/dev/shm';
  return mkdtempSync(join(existsSync(memory) ? memory : tmpdir(), 'millrace-disk-'));
}

export class VirtualDisk {
  readonly path: string;
  /** Calls so far. */
  calls = 0;
  /** Calls that failed, by what they were. */
  readonly failed: string[] = [];
  /** Hears records that are in the file although their commit told an error. */
  onKept: (records: readonly StoreRecord[]) => void = () => {};
  /** Power cuts so far. */
  cuts = 0;
  readonly #folder = newDiskFolder();
  readonly #options: VirtualDiskOptions;
  readonly #bot: { readonly nowMs: () => number; readonly namespace: string };
  #database: Database | undefined;
  #store: SqliteStore | undefined;
  #isKept = false;
  /** The database file as a checkpoint last wrote it. */
  #checkpointed = '';

  constructor(
    bot: { readonly nowMs: () => number; readonly namespace: string },
    options: VirtualDiskOptions,
  ) {
    this.#bot = bot;
    this.#options = options;
    this.path = join(this.#folder, 'bot.sqlite');
  }

  /** Opens the store of a new life. */
  open(): VirtualStore {
    const store = openSqliteStore(this.path, {
      nowMs: this.#bot.nowMs(),
      namespace: this.#bot.namespace,
      run: { configHash: '', codeHash: '', nodeVersion: '' },
      connect: (path, settings) => {
        this.#database = new SqliteDatabase(path, settings);
        return watchDatabase(this.#database, (text, make) => this.#call(text, make));
      },
    });
    this.#store = store;
    if (this.#options.powerCuts === 'normal') this.#database?.pragma('synchronous = NORMAL');
    this.#noteSync(true);
    return {
      // What a judge reads is no call of the bot.
      reports: createSqliteReports(this.#database as Database),
      get commitNumber() {
        return store.commitNumber;
      },
      restore: (nowMs) => store.restore(nowMs),
      close: () => {
        closeQuietly(store);
        this.#cutPower();
      },
      explain: (records) => {
        store.explain(records);
        this.#noteSync();
      },
      commit: (records, commitNumber) => {
        this.#isKept = false;
        try {
          store.commit(records, commitNumber);
          this.#noteSync();
        } catch (error) {
          if (this.#isKept) this.onKept(records);
          throw error;
        }
      },
    };
  }

  /** Closes what is open and forgets everything. */
  remove(): void {
    if (this.#store !== undefined) closeQuietly(this.#store);
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Remembers the files if all that is in them is on the disk. */
  #noteSync(isNew = false): void {
    if (this.#options.powerCuts === undefined) return;
    const { mtimeNs, size } = statSync(this.path, { bigint: true });
    const checkpointed = `${mtimeNs} ${size}`;
    // With FULL every commit is synced. Without, a checkpoint syncs what it is about to copy.
    const isSynced =
      this.#database?.pragma('synchronous', { simple: true }) === 2 ||
      checkpointed !== this.#checkpointed;
    this.#checkpointed = checkpointed;
    if (!isSynced && !isNew) return;
    for (const end of ['', '-wal']) copyFileSync(`${this.path}${end}`, `${this.path}${end}.synced`);
  }

  #cutPower(): void {
    if (this.#options.powerCuts === undefined) return;
    this.cuts++;
    rmSync(`${this.path}-shm`, { force: true });
    for (const end of ['', '-wal']) copyFileSync(`${this.path}${end}.synced`, `${this.path}${end}`);
  }

  #call(text: string, make: () => void): void {
    const call = ++this.calls;
    const { fault } = this.#options;
    if (fault === undefined || call < fault.atCall || call >= fault.atCall + fault.calls) return;
    this.failed.push(text);
    if (fault.isLate === true && text === 'COMMIT') {
      make();
      this.#isKept = true;
    }
    throw new SqliteDatabase.SqliteError(diskErrors[fault.error], fault.error);
  }
}

/** A process that dies closes nothing, so nothing is asked of what it cannot close. */
function closeQuietly(store: SqliteStore): void {
  try {
    store.close();
  } catch {
    // Only its last row could not be written; the file and its lock are given back.
  }
}
