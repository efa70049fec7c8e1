/**
 * Memory for many small records of one kind, reused after release: no object per record, nothing
 * for the garbage collector.
 *
 *     record r, 32 bytes    ints[8r … 8r+3]     floats[4r+2], floats[4r+3]
 *
 * Both views lie over the same bytes, so that a record is one half of a cache line. Record 0 stands
 * for "none". Which record an allocation returns depends only on the calls before it, so the same
 * changes give the same records.
 */
export class RecordPool {
  /** Replaced when the pool grows: read them again after an allocation. */
  ints: Int32Array;
  floats: Float64Array;
  #free = 0;
  #used = 1;
  #count = 0;

  constructor(capacity: number) {
    const bytes = new ArrayBuffer(capacity * 32);
    this.ints = new Int32Array(bytes);
    this.floats = new Float64Array(bytes);
  }

  /** Records in use. */
  get count(): number {
    return this.#count;
  }

  /** Returns a record with any content. */
  allocate(): number {
    this.#count++;
    const record = this.#free;
    if (record !== 0) {
      this.#free = this.ints[record << 3] as number;
      return record;
    }
    if (this.#used << 3 === this.ints.length) this.#grow();
    return this.#used++;
  }

  /**
   * Takes a record that the caller has chosen and knows to be free. A pool is used by this or by
   * {@link allocate}, never by both.
   */
  take(record: number): void {
    while (record << 3 >= this.ints.length) this.#grow();
    if (record >= this.#used) this.#used = record + 1;
    this.#count++;
  }

  /** Takes a record back; its first int becomes the pool's. */
  release(record: number): void {
    this.ints[record << 3] = this.#free;
    this.#free = record;
    this.#count--;
  }

  /** Takes all records back and sets them to 0. */
  clear(): void {
    this.ints.fill(0, 0, this.#used << 3);
    this.#free = 0;
    this.#used = 1;
    this.#count = 0;
  }

  #grow(): void {
    const bytes = new ArrayBuffer(this.ints.byteLength * 2);
    const ints = new Int32Array(bytes);
    ints.set(this.ints);
    this.ints = ints;
    this.floats = new Float64Array(bytes);
  }
}
