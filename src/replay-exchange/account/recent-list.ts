/** A list that drops its oldest items, a hundred at a time. */

const chunk = 100;

/** An item with a time. */
export type Dated = { readonly timeMs: number };

/** Returns how many of the oldest items are from before `ms`, rounded down to hundreds. */
export function countOfOld(items: readonly Dated[], ms: number): number {
  for (let count = 0; ; count += chunk) {
    const last = items[count + chunk - 1];
    if (last === undefined || last.timeMs >= ms) return count;
  }
}

export class RecentList<Item extends Dated> {
  readonly #items: Item[] = [];
  #forgotten = 0;

  /** The number of items ever added. */
  get count(): number {
    return this.#forgotten + this.#items.length;
  }

  /** The items that are kept, oldest first. */
  get items(): readonly Item[] {
    return this.#items;
  }

  push(item: Item): void {
    this.#items.push(item);
  }

  /** Drops items from before `ms`; see {@link countOfOld}. */
  forget(ms: number): void {
    const count = countOfOld(this.#items, ms);
    if (count === 0) return;
    this.#items.splice(0, count);
    this.#forgotten += count;
  }
}
