/**
 * Keeps the write-ahead log short. SQLite itself copies it into the database and restarts it, but
 * not while another program reads the database in one long transaction: then the log only grows.
 *
 * Invariant: the log never grows beyond {@link walBytesMax}; the bot is warned before that, in time
 * for an orderly stop.
 */
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';

/** The log is never longer than this. */
const walBytesMax = 64 * 2 ** 20;
/** Above this size nothing is committed, so that the last commit stays below the bound. */
const commitBytesMax = walBytesMax - 4 * 2 ** 20;
/** At this size the bot stops; the records of the stop still fit. */
const stopBytes = 48 * 2 ** 20;
/** SQLite restarts the log at about 4 MiB; above this size a reader must be holding it. */
const heldBytes = 16 * 2 ** 20;
/** Growth between two attempts to shorten the log. */
const attemptEveryBytes = 2 ** 20;

/** A problem of the store that the run must know about. */
export type StoreTrouble = {
  readonly code: 'STORE_WAL_HELD';
  readonly text: string;
  /** The bot must stop now, while it can still do so in order. */
  readonly mustStop: boolean;
};

export class WalWatch {
  onTrouble: (trouble: StoreTrouble) => void = () => {};
  readonly #database: Database;
  readonly #path: string;
  #attemptedBytes = 0;
  /** Size when it was last measured; only this process writes. */
  #bytes: number;
  #reported: 'nothing' | 'held' | 'stop' = 'nothing';

  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#bytes = this.#measure();
  }

  /** Whether the log was too long when it was last measured, so that each commit matters. */
  get isLong(): boolean {
    return this.#bytes >= heldBytes;
  }

  /** Throws StoreError if a commit could make the log exceed its bound. */
  beforeCommit(): void {
    if (this.#bytes < commitBytesMax || this.#shorten()) return;
    throw new StoreError(
      `the write-ahead log ${this.#path}-wal has grown to its bound of ${walBytesMax} bytes ` +
        'because another program holds a long read transaction on the database; end that program',
    );
  }

  /** Measures the log, shortens it if it is too long, and reports if that fails. */
  afterCommit(): void {
    const bytes = this.#measure();
    this.#bytes = bytes;
    if (bytes < heldBytes) {
      this.#attemptedBytes = 0;
      this.#reported = 'nothing';
      return;
    }
    // Nobody holds a log that has become shorter: SQLite has restarted it, at the size it keeps.
    if (bytes < this.#attemptedBytes) this.#attemptedBytes = 0;
    if (bytes < this.#attemptedBytes + attemptEveryBytes || this.#shorten()) return;
    this.#attemptedBytes = bytes;
    const stage = bytes >= stopBytes ? 'stop' : 'held';
    if (stage === this.#reported) return;
    this.#reported = stage;
    const megabytes = Math.round(bytes / 2 ** 20);
    this.onTrouble({
      code: 'STORE_WAL_HELD',
      text:
        `the write-ahead log has ${megabytes} MiB, because another program holds a long read ` +
        `transaction on the database; end that program: at ${stopBytes / 2 ** 20} MiB the bot stops`,
      mustStop: stage === 'stop',
    });
  }

  /** Copies the log into the database and truncates it; returns false if a reader prevents it. */
  #shorten(): boolean {
    const [result] = this.#database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return result?.busy === 0;
  }

  #measure(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
