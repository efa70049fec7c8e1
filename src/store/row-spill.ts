/**
 * Keeps rows on disk, in a temporary SQLite database, whose files are deleted when it is closed or
 * the process ends in any way. For results that are read once, at the end.
 *
 * Rows are written in sorted blocks, which are merged when they are read. Rows come nearly in
 * order, so only a few blocks overlap.
 *
 * Invariant: memory holds SQLite's cache of two megabytes, {@link rowsPerBlock} rows and the first
 * key of each block, and while rows are read the blocks that overlap, however many rows there are.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';
import { decodeRows, encodeRows } from './row-block.ts';
import { describeFailure } from './sqlite-failure.ts';

/** Rows that are buffered before they are written. */
const rowsPerBlock = 512;

/** What rows are sorted by. */
type Key = { readonly rank: number; readonly number: number };

type Entry<Row> = Key & { readonly row: Row };

/** A block on disk, by its first key; later blocks have higher ids. */
type StoredBlock = Key & { readonly id: number };

/** A block that is being read, and the entry that is next. */
type OpenBlock<Row> = {
  readonly id: number;
  readonly entries: readonly Entry<Row>[];
  next: number;
};

export class RowSpill<Row extends object> {
  readonly #database: Database;
  readonly #putBlock: Statement<[number, string, string]>;
  readonly #blocks: StoredBlock[] = [];
  #buffered: Entry<Row>[] = [];

  /** Throws StoreError if there is no room for temporary files. */
  constructor() {
    this.#database = new SqliteDatabase('');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('cache_size = -2000');
    // One transaction that never ends, since nothing has to survive.
    this.#database.exec(
      'CREATE TABLE blocks (id INTEGER PRIMARY KEY, keys TEXT, rows TEXT); BEGIN',
    );
    this.#putBlock = this.#database.prepare('INSERT INTO blocks VALUES (?, ?, ?)');
  }

  /**
   * Adds a row, which must not change afterwards, and replaces the row with the same number, which
   * must have the same rank. All rows must have the same members. Rows are read in order of rank,
   * then of number. Throws StoreError.
   */
  put(row: Row, number: number, rank = 0): void {
    this.#buffered.push({ rank, number, row });
    if (this.#buffered.length >= rowsPerBlock) this.#spill();
  }

  /** Yields the rows; do not add rows in the meantime. Throws StoreError. */
  *rows(): Generator<Row, void> {
    this.#spill();
    const waiting = this.#blocks.toSorted(compareKeys);
    const open: OpenBlock<Row>[] = [];
    let waitingAt = 0;
    for (;;) {
      let block = firstOf(open);
      const opening = waiting[waitingAt];
      if (
        opening !== undefined &&
        (block === undefined || compareKeys(opening, nextOf(block)) <= 0)
      ) {
        waitingAt++;
        open.push({ id: opening.id, entries: this.#read(opening.id), next: 0 });
        continue;
      }
      if (block === undefined) return;
      const entry = nextOf(block);
      // Earlier versions of the same row are in earlier blocks.
      for (const other of [...open]) {
        if (compareKeys(nextOf(other), entry) !== 0) continue;
        if (other.id > block.id) block = other;
        if (++other.next === other.entries.length) open.splice(open.indexOf(other), 1);
      }
      yield (block.entries[block.next - 1] as Entry<Row>).row;
    }
  }

  close(): void {
    this.#database.close();
  }

  #spill(): void {
    if (this.#buffered.length === 0) return;
    const entries = latestInOrder(this.#buffered);
    const { rank, number } = entries[0] as Entry<Row>;
    const id = this.#blocks.length + 1;
    try {
      const keys = entries.map(({ rank, number }): Key => ({ rank, number }));
      const rows = entries.map(({ row }) => row);
      this.#putBlock.run(id, encodeRows(keys), encodeRows(rows));
    } catch (cause) {
      throw new StoreError(
        `results cannot be written to a temporary file: ${describeFailure(cause)}; free some space, or set SQLITE_TMPDIR to another folder`,
        { cause },
      );
    }
    this.#blocks.push({ id, rank, number });
    this.#buffered = [];
  }

  #read(id: number): readonly Entry<Row>[] {
    const found = this.#database.prepare('SELECT keys, rows FROM blocks WHERE id = ?').get(id);
    const { keys, rows } = found as { readonly keys: string; readonly rows: string };
    const read = decodeRows(rows) as readonly Row[];
    const at = decodeRows(keys) as readonly Key[];
    return at.map(({ rank, number }, index) => ({ rank, number, row: read[index] as Row }));
  }
}

/** Returns entries in order of their keys, each key once, with the row that came last. */
function latestInOrder<Row>(entries: readonly Entry<Row>[]): readonly Entry<Row>[] {
  const sorted = entries.toSorted(compareKeys);
  return sorted.filter((entry, at) => {
    const next = sorted[at + 1];
    return next === undefined || compareKeys(entry, next) !== 0;
  });
}

/** Returns the block whose next entry comes first. */
function firstOf<Row>(open: readonly OpenBlock<Row>[]): OpenBlock<Row> | undefined {
  let first: OpenBlock<Row> | undefined;
  for (const block of open)
    if (first === undefined || compareKeys(nextOf(block), nextOf(first)) < 0) first = block;
  return first;
}

function nextOf<Row>({ entries, next }: OpenBlock<Row>): Entry<Row> {
  return entries[next] as Entry<Row>;
}

function compareKeys(a: Key, b: Key): number {
  return a.rank - b.rank || a.number - b.number;
}
