/**
 * Rows that leave the memory: a database of SQLite's own temporary files, which are gone when it is
 * closed or the process ends, however it ends. For results that are read once, at the end.
 *
 * Rows go there many at a time, since a call of SQLite costs as much as what it does with a row.
 *
 * Invariant: memory is that of SQLite's cache, two megabytes, and of {@link heldMax} rows, however
 * many rows there are.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';
import { describeFailure } from './sqlite-failure.ts';

/** Rows that wait to leave together. */
const heldMax = 512;
/** Rows of one call of SQLite. */
const putTogether = 64;

export class RowSpill<Row extends object> {
  readonly #database: Database;
  readonly #putMany: Statement<[readonly (number | string)[]]>;
  readonly #putOne: Statement<[readonly (number | string)[]]>;
  /** Rows that wait, and the number and rank of each. */
  readonly #held: Row[] = [];
  readonly #numbers: number[] = [];
  readonly #ranks: number[] = [];

  /** Throws StoreError if there is no room for temporary files. */
  constructor() {
    this.#database = new SqliteDatabase('');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('cache_size = -2000');
    // One transaction that never ends: nothing has to survive.
    this.#database.exec(
      'CREATE TABLE rows (number INTEGER PRIMARY KEY, rank INTEGER, row TEXT); BEGIN',
    );
    const put = (rows: number) =>
      this.#database.prepare<[readonly (number | string)[]]>(
        `INSERT OR REPLACE INTO rows VALUES ${Array(rows).fill('(?, ?, ?)').join(', ')}`,
      );
    this.#putMany = put(putTogether);
    this.#putOne = put(1);
  }

  /**
   * Puts a row, which must not change any more, in the place of what had its number before. Rows
   * come out by rank, those of one rank by number. Throws StoreError.
   */
  put(row: Row, number: number, rank = 0): void {
    this.#held.push(row);
    this.#numbers.push(number);
    this.#ranks.push(rank);
    if (this.#held.length >= heldMax) this.#spill();
  }

  /** Yields the rows; nothing may be put meanwhile. Throws StoreError. */
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
      for (let at = 0; at < this.#held.length; at++) {
        const [number, rank] = [this.#numbers[at] as number, this.#ranks[at] as number];
        values.push(number, rank, JSON.stringify(this.#held[at]));
        if (values.length < 3 * putTogether) continue;
        this.#putMany.run(values);
        values = [];
      }
      for (let at = 0; at < values.length; at += 3) this.#putOne.run(values.slice(at, at + 3));
    } catch (cause) {
      throw new StoreError(
        `results cannot be kept in a temporary file: ${describeFailure(cause)}; make room, or name another folder in SQLITE_TMPDIR`,
        { cause },
      );
    }
    this.#held.length = 0;
    this.#numbers.length = 0;
    this.#ranks.length = 0;
  }
}
