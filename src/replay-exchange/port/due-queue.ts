/**
 * A first-in-first-out queue of items with non-decreasing due times.
 *
 * It is a ring that drops each item when it is taken: otherwise short-lived items would stay
 * reachable until the garbage collector moves them to the old generation.
 */
export class DueQueue<Item> {
  /** The items in the ring; undefined in free places. The length is a power of two. */
  #items: (Item | undefined)[] = Array(16).fill(undefined);
  /** The due time of each item, at the same index. */
  #dueMicros = new Float64Array(16);
  #head = 0;
  #count = 0;
  #firstMicros = Infinity;

  /** When the first item is due; Infinity if there is none. */
  get dueMicros(): number {
    return this.#firstMicros;
  }

  /** Adds an item. Throws RangeError if it is due before the last one. */
  push(dueMicros: number, item: Item): void {
    const places = this.#items.length - 1;
    if (this.#count > 0) {
      const lastMicros = this.#dueMicros[(this.#head + this.#count - 1) & places] as number;
      if (dueMicros < lastMicros)
        throw new RangeError(`due time must be at least ${lastMicros}, was ${dueMicros}`);
    }
    if (this.#count > places) {
      this.#grow();
      this.push(dueMicros, item);
      return;
    }
    const place = (this.#head + this.#count++) & places;
    this.#items[place] = item;
    this.#dueMicros[place] = dueMicros;
    if (this.#count === 1) this.#firstMicros = dueMicros;
  }

  /** Takes the first item, which must exist. */
  shift(): Item {
    if (this.#count === 0) throw new RangeError('queue must not be empty');
    const first = this.#items[this.#head] as Item;
    this.#items[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#items.length - 1);
    this.#count--;
    this.#firstMicros = this.#count === 0 ? Infinity : (this.#dueMicros[this.#head] as number);
    return first;
  }

  #grow(): void {
    const items = [...this.#items.slice(this.#head), ...this.#items.slice(0, this.#head)];
    this.#items = [...items, ...Array(items.length).fill(undefined)];
    const times = new Float64Array(this.#items.length);
    times.set(this.#dueMicros.subarray(this.#head));
    times.set(this.#dueMicros.subarray(0, this.#head), this.#dueMicros.length - this.#head);
    this.#dueMicros = times;
    this.#head = 0;
  }
}
