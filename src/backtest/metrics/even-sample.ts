/**
 * An even sample of a row of any length: all items as long as there is room, then every second,
 * every fourth, and so on.
 */
export class EvenSample<Item> {
  readonly #max: number;
  #items: Item[] = [];
  #count = 0;
  #every = 1;

  /** Keeps at least half of `max` items of a longer row, and fewer than `max`. */
  constructor(max: number) {
    this.#max = max;
  }

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  add(item: Item): void {
    if (this.#count++ % this.#every !== 0) return;
    this.#items.push(item);
    if (this.#items.length < this.#max) return;
    this.#items = this.#items.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }
}
