/**
 * A list that forgets its oldest items, a thousand at a time; those that are left keep their
 * numbers.
 */
import { assert } from '../../domain/errors.ts';

const chunk = 1_000;

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

  /** Returns items by their number of all, from `first` to before `end`; they must be there. */
  between(first: number, end: number): readonly Item[] {
    const from = first - this.#forgotten;
    assert(from >= 0, `item ${first} is asked for, those before ${this.#forgotten} are forgotten`);
    return this.#items.slice(from, end - this.#forgotten);
  }

  /** Forgets the oldest items as long as all of a thousand are old. */
  forget(isOld: (item: Item) => boolean): void {
    for (;;) {
      const last = this.#items[chunk - 1];
      if (last === undefined || !isOld(last)) return;
      this.#items.splice(0, chunk);
      this.#forgotten += chunk;
    }
  }
}
