/**
 * Keeps rows as texts on disk, in a temporary SQLite database, whose files are deleted when it is
 * closed or the process ends in any way. For results that are read once, at the end.
 *
 * Rows are written in blocks, which are merged when they are read. Rows come nearly in order, so
 * only a few blocks overlap.
 *
 * Invariant: memory holds SQLite's cache of two megabytes, a block of {@link blockLength} bytes and
 * the first key of each block, and while rows are read the blocks that overlap, however many rows
 * there are.
 */
import SqliteDatabase, { type Database, type Statement } from 'better-sqlite3';
import { StoreError } from '../domain/errors.ts';
import { describeFailure } from './sqlite-failure.ts';

const blockLength = 262_144;

/** Rows of a block at most, so that short rows do not make its list of keys long. */
const rowsPerBlock = 2_048;

/** The most bytes of UTF-8 that a UTF-16 code unit of a text can take. */
const bytesPerUnitMax = 3;

/** What rows are sorted by. */
type Key = { readonly rank: number; readonly number: number };

/** A row of a block: the range of its bytes. */
type Entry = Key & { readonly start: number; readonly end: number };
/** As four numbers, since a list of numbers needs no JSON. */
const numbersPerEntry = 4;

/** A block on disk, by its first key; later blocks have higher ids. */
type StoredBlock = Key & { readonly id: number };

/** A block that is being read, and the entry that is next. */
type OpenBlock = {
  readonly id: number;
  readonly entries: readonly Entry[];
  readonly bytes: Uint8Array;
  next: number;
};

export class RowSpill {
  readonly #database: Database;
  readonly #putBlock: Statement<[number, Uint8Array, Uint8Array]>;
  readonly #blocks: StoredBlock[] = [];
  #bytes = Buffer.allocUnsafeSlow(blockLength);
  #length = 0;
  #entries: Entry[] = [];

  /** Throws StoreError if there is no room for temporary files. */
  constructor() {
    this.#database = new SqliteDatabase('');
    this.#database.pragma('journal_mode = OFF');
    this.#database.pragma('cache_size = -2000');
    // One transaction that never ends, since nothing has to survive.
    this.#database.exec(
      'CREATE TABLE blocks (id INTEGER PRIMARY KEY, entries BLOB, bytes BLOB); BEGIN',
    );
    this.#putBlock = this.#database.prepare('INSERT INTO blocks VALUES (?, ?, ?)');
  }

  /**
   * Adds the text of a row, and replaces the row with the same number, which must have the same
   * rank. Rows are read in order of rank, then of number. Throws StoreError.
   */
  put(text: string, number: number, rank = 0): void {
    const lengthMax = text.length * bytesPerUnitMax;
    if (this.#length + lengthMax > this.#bytes.length || this.#entries.length === rowsPerBlock)
      this.#spill();
    if (lengthMax > this.#bytes.length) this.#bytes = Buffer.allocUnsafeSlow(lengthMax);
    const start = this.#length;
    this.#length += this.#bytes.write(text, start);
    this.#entries.push({ rank, number, start, end: this.#length });
  }

  /** Yields the texts of the rows, as UTF-8; do not add rows in the meantime. Throws StoreError. */
  *rows(): Generator<Uint8Array, void> {
    this.#spill();
    const waiting = this.#blocks.toSorted(compareKeys);
    const open: OpenBlock[] = [];
    let waitingAt = 0;
    for (;;) {
      let block = firstOf(open);
      const opening = waiting[waitingAt];
      if (
        opening !== undefined &&
        (block === undefined || compareKeys(opening, nextOf(block)) <= 0)
      ) {
        waitingAt++;
        open.push(this.#read(opening.id));
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
      const { start, end } = block.entries[block.next - 1] as Entry;
      yield block.bytes.subarray(start, end);
    }
  }

  close(): void {
    this.#database.close();
  }

  #spill(): void {
    if (this.#entries.length === 0) return;
    const entries = latestInOrder(this.#entries);
    const { rank, number } = entries[0] as Entry;
    const id = this.#blocks.length + 1;
    try {
      this.#putBlock.run(id, encoded(entries), this.#bytes.subarray(0, this.#length));
    } catch (cause) {
      throw new StoreError(
        `results cannot be written to a temporary file: ${describeFailure(cause)}; free some space, or set SQLITE_TMPDIR to another folder`,
        { cause },
      );
    }
    this.#blocks.push({ id, rank, number });
    this.#entries = [];
    this.#length = 0;
  }

  #read(id: number): OpenBlock {
    const found = this.#database.prepare('SELECT entries, bytes FROM blocks WHERE id = ?').get(id);
    const { entries, bytes } = found as Readonly<Record<'entries' | 'bytes', Uint8Array>>;
    return { id, entries: decoded(entries), bytes, next: 0 };
  }
}

function encoded(entries: readonly Entry[]): Uint8Array {
  const numbers = new Float64Array(entries.length * numbersPerEntry);
  let at = 0;
  for (const { rank, number, start, end } of entries) {
    numbers[at++] = rank;
    numbers[at++] = number;
    numbers[at++] = start;
    numbers[at++] = end;
  }
  return new Uint8Array(numbers.buffer);
}

function decoded(bytes: Uint8Array): readonly Entry[] {
  const numbers = new Float64Array(Uint8Array.from(bytes).buffer);
  const entries: Entry[] = [];
  for (let at = 0; at < numbers.length; at += numbersPerEntry) {
    const [rank, number] = [numbers[at] as number, numbers[at + 1] as number];
    const [start, end] = [numbers[at + 2] as number, numbers[at + 3] as number];
    entries.push({ rank, number, start, end });
  }
  return entries;
}

/** Returns entries in order of their keys, each key once, with the row that came last. */
function latestInOrder(entries: readonly Entry[]): readonly Entry[] {
  const sorted = entries.toSorted(compareKeys);
  return sorted.filter((entry, at) => {
    const next = sorted[at + 1];
    return next === undefined || compareKeys(entry, next) !== 0;
  });
}

/** Returns the block whose next entry comes first. */
function firstOf(open: readonly OpenBlock[]): OpenBlock | undefined {
  let first: OpenBlock | undefined;
  for (const block of open)
    if (first === undefined || compareKeys(nextOf(block), nextOf(first)) < 0) first = block;
  return first;
}

function nextOf({ entries, next }: OpenBlock): Entry {
  return entries[next] as Entry;
}

function compareKeys(a: Key, b: Key): number {
  return a.rank - b.rank || a.number - b.number;
}
