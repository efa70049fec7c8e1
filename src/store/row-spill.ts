/**
 * Rows that leave the memory: a database of SQLite's own temporary files, which are gone when it is
 * closed or the process ends, however it ends. For results that are read once, at the end.
 *
 * Invariant: memory is that of SQLite's cache, two megabytes, however many rows there are.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';
import { describeFailure } from './sqlite-failure.ts';

export class RowSpill<Row extends object> {
  readonly #database: Database;
  readonly #put: Statement<[number, number, string]>;

  /** Throws StoreError if there is no room for temporary files. */
  constructor() {
    this.#database = new SqliteDatabase('');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('cache_size = -2000');
    // One transaction that never ends: nothing has to survive.
    this.#database.exec(
      'CREATE TABLE rows (number INTEGER PRIMARY KEY, rank INTEGER, row TEXT); BEGIN',
    );
    this.#put = this.#database.prepare('INSERT OR REPLACE INTO rows VALUES (?, ?, ?)');
  }

  /**
   * Puts a row in the place of what had its number before. Rows come out by rank, those of one rank
   * by number. Throws StoreError.
   */
  put(row: Row, number: number, rank = 0): void {
    try {
      this.#put.run(number, rank, JSON.stringify(row));
    } catch (cause) {
      throw new StoreError(
        `results cannot be kept in a temporary file: ${describeFailure(cause)}; make room, or name another folder in SQLITE_TMPDIR`,
        { cause },
      );
    }
  }

  /** Yields the rows; nothing may be put meanwhile. */
  *rows(): Generator<Row, void> {
    const all = this.#database.prepare('SELECT row FROM rows ORDER BY rank, number').pluck();
    for (const text of all.iterate()) yield JSON.parse(text as string) as Row;
  }

  close(): void {
    this.#database.close();
  }
}
