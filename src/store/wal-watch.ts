/**
 * Keeps the write-ahead log short. SQLite copies it into the database by itself and begins it anew,
 * but not while somebody reads the database in one long transaction: then it only grows.
 *
 * Invariant: the log never grows beyond {@link walBytesMax}; before that somebody hears of it, in
 * time to stop in order.
 */
import { statSync } from 'node:fs';
import type { Database } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';

/** The log is never longer than this. */
export const walBytesMax = 64 * 2 ** 20;
/** Nothing is committed above this, so that the last commit stays below the bound. */
const commitBytesMax = walBytesMax - 4 * 2 ** 20;
/** From here on the bot stops: what stopping has to store still fits. */
const stopBytes = 48 * 2 ** 20;
/** SQLite begins anew at about 4 MiB; what is longer than this is being held. */
const heldBytes = 16 * 2 ** 20;
/** How much it grows between two attempts to shorten it. */
const attemptEveryBytes = 2 ** 20;

/** Something that the run should know of the store. */
export type StoreTrouble = {
  readonly code: 'STORE_WAL_HELD';
  readonly text: string;
  /** The bot must stop in order while it still can. */
  readonly mustStop: boolean;
};

export class WalWatch {
  onTrouble: (trouble: StoreTrouble) => void = () => {};
  readonly #database: Database;
  readonly #path: string;
  #attemptedBytes = 0;
  /** As it was after the last commit; nobody else writes. */
  #bytes: number;
  #told: 'nothing' | 'held' | 'stop' = 'nothing';

  constructor(database: Database, path: string) {
    this.#database = database;
    this.#path = path;
    this.#bytes = this.#measure();
  }

  /** Throws StoreError if a commit might make the log longer than it may be. */
  beforeCommit(): void {
    if (this.#bytes < commitBytesMax || this.#shorten()) return;
    throw new StoreError(
      `the write-ahead log ${this.#path}-wal has grown to its bound of ${walBytesMax} bytes ` +
        'because another program reads the database without end; end that program',
    );
  }

  /** Looks how long the log is, shortens it if it should, and tells if that cannot be done. */
  afterCommit(): void {
    const bytes = this.#measure();
    this.#bytes = bytes;
    if (bytes < heldBytes) {
      this.#attemptedBytes = 0;
      this.#told = 'nothing';
      return;
    }
    if (bytes < this.#attemptedBytes + attemptEveryBytes || this.#shorten()) return;
    this.#attemptedBytes = bytes;
    const stage = bytes >= stopBytes ? 'stop' : 'held';
    if (stage === this.#told) return;
    this.#told = stage;
    const megabytes = Math.round(bytes / 2 ** 20);
    this.onTrouble({
      code: 'STORE_WAL_HELD',
      text:
        `the write-ahead log has ${megabytes} MiB, because another program reads the database ` +
        `without end; end it, at ${stopBytes / 2 ** 20} MiB the bot stops`,
      mustStop: stage === 'stop',
    });
  }

  /** Copies all of it into the database and cuts it; returns whether nobody was in the way. */
  #shorten(): boolean {
    const [result] = this.#database.pragma('wal_checkpoint(TRUNCATE)') as { busy: number }[];
    return result?.busy === 0;
  }

  #measure(): number {
    return statSync(`${this.#path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
  }
}
