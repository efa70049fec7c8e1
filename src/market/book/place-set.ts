/**
 * A set of small integers that finds its next member in a few steps, however far away it is.
 *
 *     high            1                     one bit per word of the layer below
 *     middle      1   .   1   .
 *     low       ..1.  .... 1..1  ....       one bit per place
 *
 * Invariant: a bit of a higher layer is set if and only if the word below it is not zero.
 */
const noInts = new Int32Array(0);

export class PlaceSet {
  // Fields begin with a value of their type, as in `BookMemory`.
  readonly #low: Int32Array = noInts;
  readonly #middle: Int32Array = noInts;
  /** Searched word by word; a word covers 32,768 places. */
  readonly #high: Int32Array = noInts;

  /** Holds places from 0 to `size - 1`. */
  constructor(size: number) {
    const words = Math.ceil(size / 32);
    this.#low = new Int32Array(words);
    this.#middle = new Int32Array(Math.ceil(words / 32));
    this.#high = new Int32Array(Math.ceil(words / 1024));
  }

  add(place: number): void {
    const word = place >> 5;
    const before = this.#low[word] as number;
    this.#low[word] = before | (1 << (place & 31));
    if (before === 0) this.#addWord(word);
  }

  delete(place: number): void {
    const word = place >> 5;
    const after = (this.#low[word] as number) & ~(1 << (place & 31));
    this.#low[word] = after;
    if (after === 0) this.#deleteWord(word);
  }

  /** Returns the least member that is at least `place`, or -1. */
  next(place: number): number {
    const word = place >> 5;
    if (word >= this.#low.length) return -1;
    const bits = (this.#low[word] as number) & (-1 << (place & 31));
    return bits === 0 ? this.#afterWord(word) : (word << 5) | lowestBit(bits);
  }

  #addWord(word: number): void {
    const above = word >> 5;
    const before = this.#middle[above] as number;
    this.#middle[above] = before | (1 << (word & 31));
    const top = above >> 5;
    if (before === 0) this.#high[top] = (this.#high[top] as number) | (1 << (above & 31));
  }

  #deleteWord(word: number): void {
    const above = word >> 5;
    const after = (this.#middle[above] as number) & ~(1 << (word & 31));
    this.#middle[above] = after;
    const top = above >> 5;
    if (after === 0) this.#high[top] = (this.#high[top] as number) & ~(1 << (above & 31));
  }

  /** Returns the least member after a word of the low layer, or -1. */
  #afterWord(word: number): number {
    const above = word >> 5;
    const bits = (this.#middle[above] as number) & bitsAbove(word & 31);
    if (bits !== 0) return this.#leastOf((above << 5) | lowestBit(bits));
    let top = above >> 5;
    let words = (this.#high[top] as number) & bitsAbove(above & 31);
    while (words === 0) {
      if (++top >= this.#high.length) return -1;
      words = this.#high[top] as number;
    }
    const middle = (top << 5) | lowestBit(words);
    return this.#leastOf((middle << 5) | lowestBit(this.#middle[middle] as number));
  }

  #leastOf(word: number): number {
    return (word << 5) | lowestBit(this.#low[word] as number);
  }
}

function lowestBit(bits: number): number {
  return 31 - Math.clz32(bits & -bits);
}

function bitsAbove(bit: number): number {
  // Two shifts, because a shift by 32 is a shift by 0.
  return (-1 << bit) << 1;
}
