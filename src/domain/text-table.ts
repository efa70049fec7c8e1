/**
 * Values by text: a hash table for entries that come and go all the time.
 *
 * A `Map` would be promoted to the old generation with all its values. When a map makes room, its
 * old table points to its new one. Once one table was promoted, its garbage keeps each later table
 * and the values in it alive until the next full collection.
 *
 * Invariants: a free place has no value; an entry is at the place of its hash, or after it without
 * a free place in between; at most half of the places are taken.
 */

const initialLength = 16;
/** How many characters of a key its hash depends on, if nothing else is said. */
const hashedUsual = 8;

export class TextTable<Value extends object> {
  // The key, the value and the hash of an entry have the same index. The length is a power of two.
  #keys: string[] = Array(initialLength).fill('');
  #values: (Value | undefined)[] = Array(initialLength).fill(undefined);
  #hashes = new Int32Array(initialLength);
  #size = 0;
  readonly #hashed: number;

  /** The hash of a key depends on its last `hashed` characters, which must tell keys apart. */
  constructor(hashed = hashedUsual) {
    this.#hashed = hashed;
  }

  get size(): number {
    return this.#size;
  }

  get(key: string): Value | undefined {
    return this.#values[this.#placeOf(key, hashOf(key, this.#hashed))];
  }

  has(key: string): boolean {
    return this.get(key) !== undefined;
  }

  /** Returns all values, in an order that depends on their keys. */
  values(): readonly Value[] {
    return this.#values.filter((value) => value !== undefined);
  }

  /** Sets the value of a key, and replaces an earlier one. Returns the hash of the key. */
  set(key: string, value: Value): number {
    const hash = hashOf(key, this.#hashed);
    let place = this.#placeOf(key, hash);
    if (this.#values[place] === undefined) {
      this.#size++;
      if (this.#size * 2 > this.#values.length) {
        this.#grow();
        place = this.#placeOf(key, hash);
      }
    }
    this.#put(place, key, value, hash);
    return hash;
  }

  /** Removes the entry of a key, if it has `value` where one is given; returns whether it did. */
  delete(key: string, value?: Value): boolean {
    const values = this.#values;
    const place = this.#placeOf(key, hashOf(key, this.#hashed));
    if (values[place] === undefined || values[place] !== (value ?? values[place])) return false;
    this.#free(place);
    return true;
  }

  /**
   * Removes the entry of a value by the hash that {@link set} returned, if there is one: the text
   * of an old key is no longer in the processor's cache.
   */
  remove(hash: number, value: Value): void {
    const values = this.#values;
    const last = values.length - 1;
    for (let place = hash & last; values[place] !== undefined; place = (place + 1) & last)
      if (values[place] === value) {
        this.#free(place);
        return;
      }
  }

  #free(taken: number): void {
    const values = this.#values;
    const last = values.length - 1;
    let free = taken;
    // The entries up to the next free place may have to move, so that they are still found.
    for (let place = (free + 1) & last; values[place] !== undefined; place = (place + 1) & last) {
      const hash = this.#hashes[place] as number;
      if (((place - hash) & last) < ((place - free) & last)) continue;
      this.#put(free, this.#keys[place] as string, values[place], hash);
      free = place;
    }
    this.#put(free, '', undefined, 0);
    this.#size--;
  }

  /** Removes all entries, and keeps the room. */
  clear(): void {
    this.#keys.fill('');
    this.#values.fill(undefined);
    this.#size = 0;
  }

  /** Returns the index of a key's entry, or of the free place for it. */
  #placeOf(key: string, hash: number): number {
    const values = this.#values;
    const last = values.length - 1;
    let place = hash & last;
    while (values[place] !== undefined) {
      if (this.#hashes[place] === hash && this.#keys[place] === key) return place;
      place = (place + 1) & last;
    }
    return place;
  }

  #put(place: number, key: string, value: Value | undefined, hash: number): void {
    this.#keys[place] = key;
    this.#values[place] = value;
    this.#hashes[place] = hash;
  }

  #grow(): void {
    const keys = this.#keys;
    const values = this.#values;
    const hashes = this.#hashes;
    const length = values.length * 2;
    this.#keys = Array(length).fill('');
    this.#values = Array(length).fill(undefined);
    this.#hashes = new Int32Array(length);
    for (let place = 0; place < values.length; place++) {
      const value = values[place];
      if (value === undefined) continue;
      const key = keys[place] as string;
      const hash = hashes[place] as number;
      this.#put(this.#placeOf(key, hash), key, value, hash);
    }
    // The old arrays may have been promoted, and would keep the values alive.
    values.fill(undefined);
    keys.fill('');
  }
}

/** Ids begin alike and differ at their ends, so their last characters are enough. */
function hashOf(text: string, hashed: number): number {
  let hash = text.length;
  for (let index = Math.max(0, hash - hashed); index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The low bits are the index, so mix the high bits into them.
  return hash ^ (hash >>> 15);
}
