/**
 * The price levels outside a ladder's window: a sorted array, found by bisection.
 *
 * Keys descend, so that the levels nearest to the best price are at the end, where an insertion
 * moves few entries. Invariant: keys are unique.
 */
export class FarLevels {
  #keys = new Float64Array(64);
  #levels = new Int32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** Returns the level at `key`, or 0. */
  get(key: number): number {
    const index = this.#indexOf(key);
    return index < this.#length && this.#keys[index] === key ? (this.#levels[index] as number) : 0;
  }

  insert(key: number, level: number): void {
    if (this.#length === this.#keys.length) this.#grow();
    const index = this.#indexOf(key);
    this.#keys.copyWithin(index + 1, index, this.#length);
    this.#levels.copyWithin(index + 1, index, this.#length);
    this.#keys[index] = key;
    this.#levels[index] = level;
    this.#length++;
  }

  delete(key: number): void {
    const index = this.#indexOf(key);
    this.#keys.copyWithin(index, index + 1, this.#length);
    this.#levels.copyWithin(index, index + 1, this.#length);
    this.#length--;
  }

  /** Returns the least key above `key`, or Infinity. */
  after(key: number): number {
    const index = this.#indexOf(key);
    return index === 0 ? Infinity : (this.#keys[index - 1] as number);
  }

  clear(): void {
    this.#length = 0;
  }

  /** Returns the first index whose key is at most `key`. */
  #indexOf(key: number): number {
    let from = 0;
    let to = this.#length;
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#keys[middle] as number) > key) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  #grow(): void {
    const keys = new Float64Array(this.#keys.length * 2);
    const levels = new Int32Array(this.#levels.length * 2);
    keys.set(this.#keys);
    levels.set(this.#levels);
    this.#keys = keys;
    this.#levels = levels;
  }
}
