/** A first-in-first-out queue of things that are due at times that do not go back. */
export class DueQueue<Item> {
  #items: { readonly dueMicros: number; readonly item: Item }[] = [];
  #head = 0;

  /** When the first item is due, Infinity if there is none. */
  get dueMicros(): number {
    return this.#items[this.#head]?.dueMicros ?? Infinity;
  }

  /** Adds an item; throws RangeError if it is due before the last one. */
  push(dueMicros: number, item: Item): void {
    const last = this.#head < this.#items.length ? this.#items.at(-1) : undefined;
    if (last !== undefined && dueMicros < last.dueMicros)
      throw new RangeError(`time must not go back from ${last.dueMicros}, was ${dueMicros}`);
    this.#items.push({ dueMicros, item });
  }

  /** Takes the first item; there must be one. */
  shift(): Item {
    const first = this.#items[this.#head++];
    if (first === undefined) throw new RangeError('queue must not be empty');
    // Moving the rest down now and then costs less than an array shift each time.
    if (this.#head >= 1_024 && this.#head * 2 >= this.#items.length) {
      this.#items = this.#items.slice(this.#head);
      this.#head = 0;
    }
    return first.item;
  }
}
