/** A list that forgets its oldest items, a thousand at a time. */

const chunk = 1_000;

/** Something that happened, in order of time among its like. */
export type Dated = { readonly timeMs: number };

/** Returns how many of the oldest items are to be forgotten: all thousands from before `ms`. */
export function countOfOld(items: readonly Dated[], ms: number): number {
  for (let count = 0; ; count += chunk) {
    const last = items[count + chunk - 1];
    if (last === undefined || last.timeMs >= ms) return count;
  }
}

export class RecentList<Item extends Dated> {
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

  /** Forgets items of before `ms`, as {@link countOfOld} says. */
  forget(ms: number): void {
    const count = countOfOld(this.#items, ms);
    if (count === 0) return;
    this.#items.splice(0, count);
    this.#forgotten += count;
  }
}
