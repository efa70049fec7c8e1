/**
 * A first-in-first-out queue of things that are due at times that do not go back.
 *
 * It is a ring, and what was taken out of it is let go at once: things that wait for a moment only
 * would otherwise stay long enough for the garbage collector to take them for lasting.
 */
export class DueQueue<Item> {
  /** The items in the ring; a free place holds none. The length is a power of two. */
  #items: (Item | undefined)[] = Array(16).fill(undefined);
  /** When each is due, in the same places. */
  #dueMicros = new Float64Array(16);
  #head = 0;
  #count = 0;
  #firstMicros = Infinity;

  /** When the first item is due, Infinity if there is none. */
  get dueMicros(): number {
    return this.#firstMicros;
  }

  /** Adds an item; throws RangeError if it is due before the last one. */
  push(dueMicros: number, item: Item): void {
    const places = this.#items.length - 1;
    if (this.#count > 0) {
      const lastMicros = this.#dueMicros[(this.#head + this.#count - 1) & places] as number;
      if (dueMicros < lastMicros)
        throw new RangeError(`time must not go back from ${lastMicros}, was ${dueMicros}`);
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

  /** Takes the first item; there must be one. */
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
