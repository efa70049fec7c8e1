/**
 * Keeps rows of JSON for results that are read once, at the end, in a temporary file, which is gone
 * when it is closed or the process ends in any way.
 *
 * A row is written with {@link RowSpill.text} and ended with {@link RowSpill.end}. Rows are kept in
 * blocks, which are merged when they are read. Rows come nearly in order, so only a few blocks
 * overlap.
 *
 * Invariant: memory holds the block that is written, of about {@link blockLength} bytes, and the
 * first key of each block; while rows are read, also the blocks that overlap, however many rows
 * there are. The file is opened for the first full block, so short runs need none.
 */
import { createHash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { StoreError } from '../domain/errors.ts';
import { writeAll } from '../runtime/write-all.ts';
import { JsonBytes } from './json-bytes.ts';
import { openUnnamedFile } from './unnamed-file.ts';

const blockLength = 262_144;
/** The last row of a block usually fits behind it. */
const rowLength = 4_096;
/** Rows of a block at most, so that short rows do not make its list of keys long. */
const rowsPerBlock = 2_048;

/** The numbers of a row in the list of a block: its key, and the range of its bytes. */
const numbersPerRow = 4;
const numberAt = 1;
const startAt = 2;
const endAt = 3;

/** The rows of a block, in order of their keys, each key once; see {@link numbersPerRow}. */
type BlockRows = { readonly rows: Float64Array; readonly bytes: Uint8Array };

/** Where the list of a block's rows begins in the file, and how long it is; the bytes follow. */
type FileRange = { readonly position: number; readonly rows: number; readonly length: number };

/** A full block, which is in the file; later blocks have higher ids. */
type FullBlock = {
  readonly id: number;
  /** The first key. */
  readonly rank: number;
  readonly number: number;
  readonly range: FileRange;
};

type OpenBlock = BlockRows & {
  readonly id: number;
  /** Where the next row begins in the list. */
  next: number;
};

export class RowSpill {
  /** Add the text of the next row here. */
  readonly text = new JsonBytes(blockLength + rowLength);
  readonly #open: () => number;
  readonly #hash = createHash('sha256');
  /** What is hashed next, see {@link exclude}; a copy, since a call of the hash takes long. */
  readonly #hashed = new JsonBytes(blockLength + rowLength);
  /** Where the text begins that is not yet in {@link #hashed}. */
  #hashedTo = 0;
  readonly #blocks: FullBlock[] = [];
  readonly #rows = new Float64Array(rowsPerBlock * numbersPerRow);
  #count = 0;
  #start = 0;
  #file: number | undefined;
  #fileLength = 0;

  /** `open` returns the handle of an empty file. */
  constructor(open: () => number = openUnnamedFile) {
    this.#open = open;
  }

  /** Excludes the text from `start` to its present end from the digest. */
  exclude(start: number): void {
    this.#noteHashed(start);
    this.#hashedTo = this.text.length;
  }

  /**
   * Ends the row that was added to {@link text}, which replaces the row with the same number, which
   * must have the same rank. Rows are read in order of rank, then of number. Throws StoreError.
   */
  end(number: number, rank = 0): void {
    const rows = this.#rows;
    const at = this.#count++ * numbersPerRow;
    rows[at] = rank;
    rows[at + numberAt] = number;
    rows[at + startAt] = this.#start;
    rows[at + endAt] = this.text.length;
    this.#start = this.text.length;
    if (this.#start >= blockLength || this.#count === rowsPerBlock) this.#endBlock();
  }

  /**
   * Yields the texts of the rows, one or more at a time, valid until the next ones; do not add rows
   * in the meantime. Throws StoreError.
   */
  *pieces(): Generator<Uint8Array, void> {
    const waiting = this.#blocks.toSorted(compareKeys);
    const open: OpenBlock[] = [];
    if (this.#count > 0) {
      const bytes = this.text.bytes.subarray(0, this.#start);
      open.push({ id: waiting.length + 1, rows: this.#latestInOrder(), bytes, next: 0 });
    }
    // Rows that follow each other in a block are yielded together.
    let bytes: Uint8Array = new Uint8Array();
    let [start, end] = [0, 0];
    let waitingAt = 0;
    for (;;) {
      let block = firstOf(open);
      const opening = waiting[waitingAt];
      if (opening !== undefined && (block === undefined || !isBefore(block, opening))) {
        waitingAt++;
        open.push(this.#opened(opening));
        continue;
      }
      if (block === undefined) break;
      // Earlier versions of the same row are in earlier blocks.
      if (open.length > 1) block = passVersions(open, block);
      else block.next += numbersPerRow;
      const { rows, next } = block;
      const rowStart = rows[next - numbersPerRow + startAt] as number;
      if (block.bytes !== bytes || rowStart !== end) {
        if (end > start) yield bytes.subarray(start, end);
        ({ bytes } = block);
        start = rowStart;
      }
      end = rows[next - numbersPerRow + endAt] as number;
      if (next === rows.length) open.splice(open.indexOf(block), 1);
    }
    if (end > start) yield bytes.subarray(start, end);
  }

  /** Returns SHA-256 over all texts in the order in which they were added; may be called once. */
  digest(): Uint8Array {
    this.#hashNoted();
    return this.#hash.digest();
  }

  /** Deletes the rows, and gives their memory back without waiting for a collection. */
  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
    release(this.text.bytes);
    release(this.#hashed.bytes);
  }

  /** Copies the text up to `end` to what is hashed next. */
  #noteHashed(end: number): void {
    this.#hashed.copy(this.text.bytes, this.#hashedTo, end);
    this.#hashedTo = end;
  }

  #hashNoted(): void {
    this.#noteHashed(this.#start);
    const { bytes, length } = this.#hashed;
    this.#hash.update(bytes.subarray(0, length));
    this.#hashed.length = 0;
  }

  /** Writes the block to the file, and begins the next one. */
  #endBlock(): void {
    const rows = this.#latestInOrder();
    this.#hashNoted();
    this.#blocks.push({
      id: this.#blocks.length + 1,
      rank: rows[0] as number,
      number: rows[numberAt] as number,
      range: this.#write(rows),
    });
    this.text.length = 0;
    this.#hashedTo = 0;
    this.#start = 0;
    this.#count = 0;
  }

  #write(rows: Float64Array): FileRange {
    const list = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
    const texts = this.text.bytes.subarray(0, this.#start);
    try {
      this.#file ??= this.#open();
      writeAll(this.#file, list);
      writeAll(this.#file, texts);
    } catch (cause) {
      throw new StoreError(
        `results cannot be written to a temporary file: ${String(cause)}; free some space, or set TMPDIR to a folder other than /tmp and /var/tmp`,
        { cause },
      );
    }
    const position = this.#fileLength;
    this.#fileLength += list.length + texts.length;
    return { position, rows: rows.length, length: texts.length };
  }

  #opened({ id, range: { position, rows: count, length } }: FullBlock): OpenBlock {
    const rows = new Float64Array(count);
    const bytes = Buffer.allocUnsafeSlow(length);
    const list = new Uint8Array(rows.buffer);
    this.#fill(list, position);
    this.#fill(bytes, position + list.length);
    return { id, rows, bytes, next: 0 };
  }

  #fill(bytes: Uint8Array, position: number): void {
    let count = 0;
    try {
      count = readSync(this.#file as number, bytes, 0, bytes.length, position);
    } catch (cause) {
      throw new StoreError(`results cannot be read again: ${String(cause)}`, { cause });
    }
    if (count !== bytes.length) throw new StoreError('results cannot be read again: they end');
  }

  /** Returns the rows in order of their keys, each key once, with the row that came last. */
  #latestInOrder(): Float64Array {
    const rows = this.#rows.subarray(0, this.#count * numbersPerRow);
    if (isInOrder(rows)) return rows;
    const places = this.#placesInOrder();
    const latest = new Float64Array(rows.length);
    let length = 0;
    for (let index = 0; index < places.length; index++) {
      const place = places[index] as number;
      const next = places[index + 1];
      if (next !== undefined && compareRows(rows, place, next) === 0) continue;
      for (let at = 0; at < numbersPerRow; at++) latest[length++] = rows[place + at] as number;
    }
    return latest.subarray(0, length);
  }

  /** Returns where the rows are in the list, in order of their keys, equal ones as they came. */
  #placesInOrder(): Int32Array {
    const rows = this.#rows;
    const places = new Int32Array(this.#count);
    // Rows come nearly in order, so each moves a few places at most.
    for (let index = 0; index < places.length; index++) {
      const place = index * numbersPerRow;
      let at = index;
      for (; at > 0 && compareRows(rows, places[at - 1] as number, place) > 0; at--)
        places[at] = places[at - 1] as number;
      places[at] = place;
    }
    return places;
  }
}

/** Gives memory back at once, unless that was done before; `bytes` is empty afterwards. */
function release(bytes: Uint8Array): void {
  const buffer = bytes.buffer as ArrayBuffer;
  if (!buffer.detached) buffer.transfer(0);
}

/**
 * Moves every block past its row with the key of the next row of `block`; returns the newest of
 * them. Blocks without further rows are removed, except the one that is returned.
 */
function passVersions(open: OpenBlock[], block: OpenBlock): OpenBlock {
  const { rows, next } = block;
  const rank = rows[next] as number;
  const number = rows[next + numberAt] as number;
  let newest = block;
  for (const other of open) {
    if (other.rows[other.next] !== rank || other.rows[other.next + numberAt] !== number) continue;
    other.next += numbersPerRow;
    if (other.id > newest.id) newest = other;
  }
  for (let index = open.length - 1; index >= 0; index--) {
    const other = open[index] as OpenBlock;
    if (other !== newest && other.next === other.rows.length) open.splice(index, 1);
  }
  return newest;
}

function isInOrder(rows: Float64Array): boolean {
  for (let at = numbersPerRow; at < rows.length; at += numbersPerRow)
    if (compareRows(rows, at - numbersPerRow, at) >= 0) return false;
  return true;
}

function compareRows(rows: Float64Array, a: number, b: number): number {
  const ranks = (rows[a] as number) - (rows[b] as number);
  return ranks === 0 ? (rows[a + numberAt] as number) - (rows[b + numberAt] as number) : ranks;
}

/** Returns the block whose next row comes first. */
function firstOf(open: readonly OpenBlock[]): OpenBlock | undefined {
  let first = open[0];
  for (let index = 1; index < open.length; index++) {
    const block = open[index] as OpenBlock;
    const { rows, next } = block;
    if (
      first !== undefined &&
      isAfter(first, rows[next] as number, rows[next + numberAt] as number)
    )
      first = block;
  }
  return first;
}

/** Whether the next row of a block comes before the first of another. */
function isBefore({ rows, next }: OpenBlock, { rank, number }: FullBlock): boolean {
  const ownRank = rows[next] as number;
  return ownRank < rank || (ownRank === rank && (rows[next + numberAt] as number) < number);
}

/** Whether the next row of a block comes after a key. */
function isAfter({ rows, next }: OpenBlock, rank: number, number: number): boolean {
  const ownRank = rows[next] as number;
  return ownRank > rank || (ownRank === rank && (rows[next + numberAt] as number) > number);
}

function compareKeys(a: FullBlock, b: FullBlock): number {
  return a.rank - b.rank || a.number - b.number;
}
