/**
 * An evenly spaced sample of a sequence of any length: every item while there is room, then every
 * second item, every fourth, and so on.
 */
export class EvenSample<Item> {
  readonly #max: number;
  #items: Item[] = [];
  #count = 0;
  #every = 1;

  /** A sequence of `max` items or more is reduced to at least `max / 2` and fewer than `max`. */
  constructor(max: number) {
    this.#max = max;
  }

  /** The number of items added so far. */
  get count(): number {
    return this.#count;
  }

  get items(): readonly Item[] {
    return this.#items;
  }

  /** Whether the next item will be kept; if not, {@link skip} takes its place. */
  get keepsNext(): boolean {
    return this.#count % this.#every === 0;
  }

  /** Counts an item that is not kept. */
  skip(): void {
    this.#count++;
  }

  add(item: Item): void {
    const { keepsNext } = this;
    this.#count++;
    if (!keepsNext) return;
    this.#items.push(item);
    if (this.#items.length < this.#max) return;
    this.#items = this.#items.filter((_, index) => index % 2 === 0);
    this.#every *= 2;
  }
}
