/** A queue of records of numbers in one growing array: adding and dropping allocates nothing. */
export class NumberRing {
  /** The numbers of all records. Adding a record may replace the array. */
  values: Float64Array;
  /** Where the oldest record starts in `values`. */
  first = 0;
  count = 0;
  readonly #width: number;

  /** `width`: how many numbers a record has; `capacity`: for how many. Both are powers of two. */
  constructor(width: number, capacity: number) {
    this.#width = width;
    this.values = new Float64Array(width * capacity);
  }

  /** Adds a record and returns where it starts in `values`; its numbers must be written next. */
  add(): number {
    if (this.count * this.#width === this.values.length) this.#grow();
    return (this.first + this.count++ * this.#width) & (this.values.length - 1);
  }

  /** Drops the oldest record, which must exist. */
  drop(): void {
    this.first = (this.first + this.#width) & (this.values.length - 1);
    this.count--;
  }

  #grow(): void {
    const { values, first } = this;
    this.values = new Float64Array(values.length * 2);
    this.values.set(values.subarray(first));
    this.values.set(values.subarray(0, first), values.length - first);
    this.first = 0;
  }
}
