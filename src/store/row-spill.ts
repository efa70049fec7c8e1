/**
 * Keeps rows on disk, in a temporary SQLite database, whose files are deleted when it is closed or
 * the process ends in any way. For results that are read once, at the end.
 *
 * Rows are written many at a time, since a call of SQLite costs as much as writing a row.
 *
 * Invariant: memory holds SQLite's cache of two megabytes and {@link bufferedMax} rows, however
 * many rows there are.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';
import { describeFailure } from './sqlite-failure.ts';

/** Rows that are buffered before they are written. */
const bufferedMax = 512;
/** Rows written by one call of SQLite. */
const rowsPerCall = 64;

export class RowSpill<Row extends object> {
  readonly #database: Database;
  readonly #putMany: Statement<[readonly (number | string)[]]>;
  readonly #putOne: Statement<[readonly (number | string)[]]>;
  /** The buffered rows, and the number and rank of each. */
  readonly #buffered: Row[] = [];
  readonly #numbers: number[] = [];
  readonly #ranks: number[] = [];

  /** Throws StoreError if there is no room for temporary files. */
  constructor() {
    this.#database = new SqliteDatabase('');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('cache_size = -2000');
    // One transaction that never ends, since nothing has to survive.
    this.#database.exec(
      'CREATE TABLE rows (number INTEGER PRIMARY KEY, rank INTEGER, row TEXT); BEGIN',
    );
    const put = (rows: number) =>
      this.#database.prepare<[readonly (number | string)[]]>(
        `INSERT OR REPLACE INTO rows VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}`,
      );
    this.#putMany = put(rowsPerCall);
    this.#putOne = put(1);
  }

  /**
   * Adds a row, which must not change afterwards, and replaces the row with the same number. Rows
   * are read in order of rank, then of number. Throws StoreError.
   */
  put(row: Row, number: number, rank = 0): void {
    this.#buffered.push(row);
    this.#numbers.push(number);
    this.#ranks.push(rank);
    if (this.#buffered.length >= bufferedMax) this.#spill();
  }

  /** Yields the rows; do not add rows in the meantime. Throws StoreError. */
  *rows(): Generator<Row, void> {
    this.#spill();
    const all = this.#database.prepare('SELECT row FROM rows ORDER BY rank, number').pluck();
    for (const text of all.iterate()) yield JSON.parse(text as string) as Row;
  }

  close(): void {
    this.#database.close();
  }

  #spill(): void {
    try {
      let values: (number | string)[] = [];
      for (let at = 0; at < this.#buffered.length; at++) {
        const [number, rank] = [this.#numbers[at] as number, this.#ranks[at] as number];
        values.push(number, rank, JSON.stringify(this.#buffered[at]));
        if (values.length < 3 * rowsPerCall) continue;
        this.#putMany.run(values);
        values = [];
      }
      for (let at = 0; at < values.length; at += 3) this.#putOne.run(values.slice(at, at + 3));
    } catch (cause) {
      throw new StoreError(
        `results cannot be written to a temporary file: ${describeFailure(cause)}; free some space, or set SQLITE_TMPDIR to another folder`,
        { cause },
      );
    }
    this.#buffered.length = 0;
    this.#numbers.length = 0;
    this.#ranks.length = 0;
  }
}
