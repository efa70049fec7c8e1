/**
 * The price levels of one side of a book, by key. A key is the price for asks and the negated price
 * for bids, so on both sides the best level is the one with the least key.
 *
 *               window: one place per tick, bitmap of the occupied places
 *     far │ [ . . . . . . best . x x . x . . x . ] │ x    x  x        x  far
 *           start                          start + size
 *
 * Levels outside the window are in a sorted array. When the best level leaves the middle half of
 * the window, the window is centred on it. A move costs time in proportion to the number of levels
 * and is made only after that many changes, so prices that jump back and forth cannot make the
 * ladder slow.
 *
 * Invariants: each level is in exactly one of the two; the best level is right after every call.
 */
import { FarLevels } from './far-levels.ts';
import { PlaceSet } from './place-set.ts';

const noInts = new Int32Array(0);
const noPlaces = new PlaceSet(0);

export class PriceLadder {
  // Fields begin with a value of their type, as in `BookMemory`.
  readonly #size: number = 0;
  readonly #window: Int32Array = noInts;
  readonly #taken: PlaceSet = noPlaces;
  readonly #far = new FarLevels();
  #start = 0;
  #count = 0;
  #bestKey = Infinity;
  #bestLevel = 0;
  #changesSinceMove = 0;

  /** The window holds `2^windowBits` ticks. */
  constructor(windowBits: number) {
    this.#size = 1 << windowBits;
    this.#window = new Int32Array(this.#size);
    this.#taken = new PlaceSet(this.#size);
  }

  get count(): number {
    return this.#count;
  }

  /** The best level, or 0. */
  get bestLevel(): number {
    return this.#bestLevel;
  }

  /** The key of the best level, or Infinity. */
  get bestKey(): number {
    return this.#bestKey;
  }

  /** Returns the level at `key`, or 0. */
  levelAt(key: number): number {
    const place = key - this.#start;
    if (place >= 0 && place < this.#size) return this.#window[place | 0] as number;
    return this.#far.get(key) | 0;
  }

  /** Adds a level at a key that has none. */
  insert(key: number, level: number): void {
    this.#put(key, level);
    this.#count++;
    this.#changesSinceMove++;
    if (key < this.#bestKey) this.#becomeBest(key, level);
  }

  delete(key: number): void {
    const place = key - this.#start;
    if (place >= 0 && place < this.#size) {
      this.#window[place | 0] = 0;
      this.#taken.delete(place | 0);
    } else {
      this.#far.delete(key);
    }
    this.#count--;
    this.#changesSinceMove++;
    if (key === this.#bestKey) this.#findBest();
  }

  /**
   * Returns the key of the next worse level after `key`, or Infinity. After -Infinity it is the
   * best key.
   */
  keyAfter(key: number): number {
    const near = this.#keyInWindowAfter(key);
    if (this.#far.length === 0) return near;
    return Math.min(near, this.#far.after(key));
  }

  clear(): void {
    for (let key = this.#bestKey; key !== Infinity; key = this.#keyInWindowAfter(key)) {
      const place = key - this.#start;
      if (place < 0 || place >= this.#size) continue;
      this.#window[place] = 0;
      this.#taken.delete(place);
    }
    this.#far.clear();
    this.#count = 0;
    this.#bestKey = Infinity;
    this.#bestLevel = 0;
  }

  #put(key: number, level: number): void {
    const place = key - this.#start;
    if (place >= 0 && place < this.#size) {
      this.#window[place | 0] = level;
      this.#taken.add(place | 0);
    } else {
      this.#far.insert(key, level);
    }
  }

  #keyInWindowAfter(key: number): number {
    const place = Math.max(0, key + 1 - this.#start);
    const found = place < this.#size ? this.#taken.next(place | 0) : -1;
    return found === -1 ? Infinity : this.#start + found;
  }

  #findBest(): void {
    const key = this.keyAfter(this.#bestKey);
    if (key === Infinity) {
      this.#bestKey = Infinity;
      this.#bestLevel = 0;
    } else {
      this.#becomeBest(key, this.levelAt(key));
    }
  }

  #becomeBest(key: number, level: number): void {
    this.#bestKey = key;
    this.#bestLevel = level;
    const place = key - this.#start;
    const quarter = this.#size / 4;
    if (place >= quarter && place < 3 * quarter) return;
    if (this.#changesSinceMove >= this.#count) this.#moveWindow();
  }

  /** Puts the best level in the middle of the window. */
  #moveWindow(): void {
    const keys: number[] = [];
    const levels: number[] = [];
    for (let key = this.#bestKey; key !== Infinity; key = this.keyAfter(key)) {
      keys.push(key);
      levels.push(this.levelAt(key));
    }
    const { bestKey, bestLevel, count } = {
      bestKey: this.#bestKey,
      bestLevel: this.#bestLevel,
      count: this.#count,
    };
    this.clear();
    // As a small integer where it is one: the key is stored as a float, and so would be what is
    // computed from it, and then every place.
    const start = bestKey - this.#size / 2;
    this.#start = (start | 0) === start ? start | 0 : start;
    // Worst first, so that each far level goes to the end of its array.
    for (let i = keys.length - 1; i >= 0; i--) this.#put(keys[i] as number, levels[i] as number);
    this.#bestKey = bestKey;
    this.#bestLevel = bestLevel;
    this.#count = count;
    this.#changesSinceMove = 0;
  }
}
