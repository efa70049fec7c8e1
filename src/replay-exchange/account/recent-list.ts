/** A list that forgets its oldest items, a thousand at a time. */

const chunk = 1_000;

/** Returns how many of the oldest items are to be forgotten: all thousands of old ones. */
export function countOfOld<Item>(items: readonly Item[], isOld: (item: Item) => boolean): number {
  for (let count = 0; ; count += chunk) {
    const last = items[count + chunk - 1];
    if (last === undefined || !isOld(last)) return count;
  }
}

export class RecentList<Item> {
  readonly #items: Item[] = [];
  #forgotten = 0;

  /** How many there ever were. */
  get count(): number {
    return this.#forgotten + this.#items.length;
  }

  /** Those that are left, oldest first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Forgets old items, as {@link countOfOld} says. */
  forget(isOld: (item: Item) => boolean): void {
    const count = countOfOld(this.#items, isOld);
    if (count === 0) return;
    this.#items.splice(0, count);
    this.#forgotten += count;
  }
}
