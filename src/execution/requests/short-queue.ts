/**
 * A short queue that is emptied all the time. It keeps its room: an array that becomes empty gives
 * its room up, and the next push reserves new room for many.
 */
export class ShortQueue<Item extends object> {
  readonly #items: (Item | undefined)[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  push(item: Item): void {
    this.#items[this.#size++] = item;
  }

  /** Returns the item at `place`, which must be below {@link size}. */
  at(place: number): Item {
    return this.#items[place] as Item;
  }

  /** Removes and returns the first item; undefined if there is none. */
  shift(): Item | undefined {
    return this.#size === 0 ? undefined : this.removeAt(0);
  }

  /** Removes and returns the item at `place`, which must be below {@link size}. */
  removeAt(place: number): Item {
    const items = this.#items;
    const item = items[place] as Item;
    const last = --this.#size;
    for (let next = place; next < last; next++) items[next] = items[next + 1];
    // What is no longer queued must not be kept alive.
    items[last] = undefined;
    return item;
  }

  /** Removes an item; returns whether it was queued. */
  remove(item: Item): boolean {
    for (let place = 0; place < this.#size; place++) {
      if (this.#items[place] !== item) continue;
      this.removeAt(place);
      return true;
    }
    return false;
  }
}
