/**
 * A sample of a sequence of any length for a chart: of each group of consecutive items the first,
 * the lowest and the highest. Groups have one item while there is room, then two, then four, and so
 * on, so nothing that sticks out is missing.
 */
type Group<Item> = {
  readonly first: Item;
  low: Item;
  lowValue: number;
  /** The number of the item in the sequence; likewise below. */
  lowAt: number;
  high: Item;
  highValue: number;
  highAt: number;
};

export class ExtremeSample<Item> {
  readonly #groupsMax: number;
  #groups: Group<Item>[] = [];
  #count = 0;
  #every = 1;

  /** Keeps at most three items of each of `groupsMax` groups, an even number. */
  constructor(groupsMax: number) {
    this.#groupsMax = groupsMax;
  }

  /** The number of items added so far. */
  get count(): number {
    return this.#count;
  }

  /** In the order in which they were added. */
  get items(): readonly Item[] {
    return this.#groups.flatMap(({ first, low, high, lowAt, highAt }) => [
      ...new Set(lowAt < highAt ? [first, low, high] : [first, high, low]),
    ]);
  }

  /** Adds an item; each item is another object. `value` says how low or high it is. */
  add(item: Item, value: number): void {
    const at = this.#count++;
    const group = this.#groups.at(-1);
    if (group === undefined || at % this.#every === 0) this.#begin(item, value, at);
    else if (value < group.lowValue) {
      group.low = item;
      group.lowValue = value;
      group.lowAt = at;
    } else if (value > group.highValue) {
      group.high = item;
      group.highValue = value;
      group.highAt = at;
    }
  }

  #begin(item: Item, value: number, at: number): void {
    // The number of groups is even, so the item also begins one of the longer groups.
    if (this.#groups.length === this.#groupsMax) this.#halve();
    this.#groups.push({
      first: item,
      low: item,
      lowValue: value,
      lowAt: at,
      high: item,
      highValue: value,
      highAt: at,
    });
  }

  #halve(): void {
    const groups: Group<Item>[] = [];
    for (let index = 0; index < this.#groups.length; index += 2) {
      const group = this.#groups[index] as Group<Item>;
      const next = this.#groups[index + 1] as Group<Item>;
      const { low, lowValue, lowAt } = next.lowValue < group.lowValue ? next : group;
      const { high, highValue, highAt } = next.highValue > group.highValue ? next : group;
      groups.push({ first: group.first, low, lowValue, lowAt, high, highValue, highAt });
    }
    this.#groups = groups;
    this.#every *= 2;
  }
}
