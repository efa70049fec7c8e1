/**
 * The memory of a book: its levels and orders as small records in one buffer. There is no object
 * per record, nothing for the garbage collector, and a change touches neighbouring addresses.
 *
 *     none │ levels, by number │ orders, by slot
 *                                ▲ record of slot 0
 *     record r, 32 bytes    ints[8r … 8r+3]     floats[4r+2], floats[4r+3]
 *     ints of both          the next and the previous record of the queue
 *
 * Both views lie over the same bytes, and a record is half a cache line. A queue is a ring in which
 * the level stands between the last order and the first, so inserting and removing need no branch
 * for the ends of the queue: the processor could not predict it, and a wrong prediction costs more
 * than the work.
 *
 * Level 0 means "no level", slot 0 "no order". The number that an allocation returns depends only
 * on the calls before it, so the same changes give the same records.
 */
// The methods that run for each row of history have the numbers instead of these names: V8 inlines
// by the length of the bytecode, in which a name takes eight bytes. They combine an index with `|`,
// since an addition could overflow, which V8 checks.
const nextAt = 0;
const previousAt = 1;
/** For an order: its level, or 0 while its slot is free. */
const levelAt = 2;

/** Where an order and a level have their other fields, in the floats and ints of their record. */
export const recordField = {
  /** Floats of an order. */
  orderVolume: 2,
  arrival: 3,
  /** Floats of a level. */
  price: 2,
  levelVolume: 3,
  /** An int of a level. */
  flags: 2,
} as const;

/** A flag of a level: it is an ask level. */
export const askLevel = 1;

const levelsAtStart = 256;
const noInts = new Int32Array(0);
const noFloats = new Float64Array(0);

export class BookMemory {
  // All fields begin with a value of their type: V8 would check the type of a field that was ever
  // undefined at each read, and a row of history reads some fifty of them.

  /** An allocation may replace this field and the two below: read them again after it. */
  ints = noInts;
  floats = noFloats;
  /** The record number of slot 0, which is also the capacity for levels. */
  slotsStart = 0;
  orders = 0;
  #freeLevel = 0;
  #usedLevels = 1;
  /** The capacity for slots, slot 0 included. */
  #slotsEnd = 0;

  /** `slots` and `levels`: capacity at the start, for orders and for levels. */
  constructor(slots: number, levels = levelsAtStart) {
    this.slotsStart = levels;
    this.#slotsEnd = slots;
    const bytes = new ArrayBuffer((levels + slots) * 32);
    this.ints = new Int32Array(bytes);
    this.floats = new Float64Array(bytes);
  }

  /** Returns a level whose queue is empty; its other fields may have any value. */
  allocateLevel(): number {
    const level = this.#nextLevel();
    this.ints[(level << 3) + nextAt] = level;
    this.ints[(level << 3) + previousAt] = level;
    return level;
  }

  /** Frees a level; its first int then links the list of free levels. */
  releaseLevel(level: number): void {
    this.ints[level << 3] = this.#freeLevel;
    this.#freeLevel = level;
  }

  isFree(slot: number): boolean {
    return (
      slot > 0 &&
      slot < this.#slotsEnd &&
      (slot | 0) === slot &&
      this.ints[((this.slotsStart + slot) << 3) | 2] === 0
    );
  }

  /** Makes room for a slot, a positive integer; returns whether the slot is free. */
  claim(slot: number): boolean {
    if (slot < this.#slotsEnd) return this.isFree(slot);
    let end = this.#slotsEnd;
    while (slot >= end) end *= 2;
    this.#grow(this.slotsStart, end);
    return true;
  }

  /** Returns the level of the order in a slot, or 0 if the slot is free. */
  levelIn(slot: number): number {
    // The bound is checked first: one read beyond the end would make every later read slower.
    return slot > 0 && slot < this.#slotsEnd
      ? (this.ints[((this.slotsStart + slot) << 3) | 2] as number)
      : 0;
  }

  /** Puts the order of a record at the back of a level's queue. */
  append(record: number, level: number): void {
    const { ints } = this;
    const last = ints[(level << 3) | 1] as number;
    ints[record << 3] = level;
    ints[(record << 3) | 1] = last;
    ints[(record << 3) | 2] = level;
    ints[last << 3] = record;
    ints[(level << 3) | 1] = record;
    this.orders++;
  }

  /** Removes an order from its queue and frees its slot; returns whether the queue is now empty. */
  unlink(slot: number): boolean {
    const { ints } = this;
    const at = (this.slotsStart + slot) << 3;
    const next = ints[at] as number;
    const previous = ints[at | 1] as number;
    ints[previous << 3] = next;
    ints[(next << 3) | 1] = previous;
    ints[at | 2] = 0;
    this.orders--;
    return next === previous;
  }

  /** Returns the first slot in a level's queue, or 0 if the queue is empty. */
  firstIn(level: number): number {
    return this.#slotOf(this.ints[(level << 3) + nextAt] as number);
  }

  /** Returns the slot behind an order in its queue, or 0. */
  behind(slot: number): number {
    return this.#slotOf(this.ints[((this.slotsStart + slot) << 3) + nextAt] as number);
  }

  /** Returns the records as they are now, for reading only; in the memory of `spare` if it fits. */
  copy(spare?: BookMemory): BookMemory {
    const fits = spare?.slotsStart === this.slotsStart && spare.#slotsEnd === this.#slotsEnd;
    const copy = fits ? spare : new BookMemory(this.#slotsEnd, this.slotsStart);
    copy.ints.set(this.ints);
    copy.orders = this.orders;
    return copy;
  }

  /** There are no orders in slots from here on. */
  get slotsEnd(): number {
    return this.#slotsEnd;
  }

  /** Frees all records and sets them to 0. */
  clear(): void {
    this.ints.fill(0);
    this.orders = 0;
    this.#freeLevel = 0;
    this.#usedLevels = 1;
  }

  /** Returns the slot of a record, or 0 if the record is a level. */
  #slotOf(record: number): number {
    return Math.max(0, record - this.slotsStart);
  }

  #nextLevel(): number {
    const level = this.#freeLevel;
    if (level !== 0) {
      this.#freeLevel = this.ints[level << 3] as number;
      return level;
    }
    if (this.#usedLevels === this.slotsStart) this.#grow(this.slotsStart * 2, this.#slotsEnd);
    return this.#usedLevels++;
  }

  #grow(levels: number, slots: number): void {
    const before = this.ints;
    const moved = levels - this.slotsStart;
    const bytes = new ArrayBuffer((levels + slots) * 32);
    const ints = new Int32Array(bytes);
    ints.set(before.subarray(0, this.#usedLevels << 3));
    ints.set(before.subarray(this.slotsStart << 3), levels << 3);
    if (moved !== 0) this.#moveLinks(ints, levels, moved);
    this.ints = ints;
    this.floats = new Float64Array(bytes);
    this.slotsStart = levels;
    this.#slotsEnd = slots;
  }

  /** Adds `moved` to all links to orders, whose records have moved by as much. */
  #moveLinks(ints: Int32Array, slotsStart: number, moved: number): void {
    const move = (at: number): void => {
      if ((ints[at] as number) >= this.slotsStart) ints[at] = (ints[at] as number) + moved;
    };
    for (let level = 1; level < this.#usedLevels; level++) {
      move((level << 3) + nextAt);
      move((level << 3) + previousAt);
    }
    for (let record = slotsStart; record < slotsStart + this.#slotsEnd; record++) {
      // The links of a free slot are not used.
      if (ints[(record << 3) + levelAt] === 0) continue;
      move((record << 3) + nextAt);
      move((record << 3) + previousAt);
    }
  }
}
