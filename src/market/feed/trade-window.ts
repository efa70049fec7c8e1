/**
 * The prices of recent trades, for the median that the price collars use as their reference.
 *
 * Trades older than the window are dropped, and so is the oldest when there would be more than
 * `tradesMax`: a busy market has a shorter window.
 */
import type { Ticks } from '../../domain/money.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';

export class TradeWindow {
  /** How long a trade is held. */
  readonly windowMicros: number;
  readonly #prices: Float64Array;
  readonly #times: Float64Array;
  /** Scratch space for the median: the prices held, which the search reorders. */
  readonly #unsorted: Float64Array;
  #oldest = 0;
  #count = 0;
  #median: Ticks | undefined;
  #medianIsFresh = true;
  /** Bounds of the prices held. Dropped prices count until the median is computed. */
  #lowest = Infinity;
  #highest = -Infinity;

  constructor(windowMicros: number, tradesMax: number) {
    this.windowMicros = windowMicros;
    this.#prices = new Float64Array(tradesMax);
    this.#times = new Float64Array(tradesMax);
    this.#unsorted = new Float64Array(tradesMax);
  }

  /** A lower bound of the prices held. */
  get lowest(): number {
    return this.#lowest;
  }

  /** An upper bound of the prices held. */
  get highest(): number {
    return this.#highest;
  }

  /** Adds a trade; times must not go back. */
  add(price: Ticks, atMicros: number): void {
    this.#expire(atMicros);
    if (this.#count === this.#prices.length) this.#dropOldest();
    const place = this.#oldest + this.#count;
    const index = place < this.#prices.length ? place : place - this.#prices.length;
    this.#prices[index] = price;
    this.#times[index] = atMicros;
    if (this.#count === 0) this.#forgetBounds();
    if (price < this.#lowest) this.#lowest = price;
    if (price > this.#highest) this.#highest = price;
    this.#count++;
    this.#medianIsFresh = false;
  }

  /**
   * Returns the median price of the trades in the window that ends at `atMicros`: the lower of the
   * two middle prices if their number is even, undefined if there are no trades.
   */
  median(atMicros: number): Ticks | undefined {
    this.#expire(atMicros);
    return this.heldMedian;
  }

  /** Drops the trades that are too old at `atMicros`; returns whether any remain. */
  hasTrades(atMicros: number): boolean {
    this.#expire(atMicros);
    return this.#count > 0;
  }

  /** The price of the newest trade held; undefined if there is none. */
  get last(): Ticks | undefined {
    if (this.#count === 0) return undefined;
    const place = this.#oldest + this.#count - 1;
    const { length } = this.#prices;
    return ticksOf(this.#prices[place < length ? place : place - length] as number);
  }

  /** The median of the trades held: {@link median} at the time last passed to this window. */
  get heldMedian(): Ticks | undefined {
    if (!this.#medianIsFresh) {
      this.#median = this.#computeMedian();
      this.#medianIsFresh = true;
    }
    return this.#median;
  }

  clear(): void {
    this.#count = 0;
    this.#medianIsFresh = false;
  }

  #computeMedian(): Ticks | undefined {
    const count = this.#count;
    if (count === 0) return undefined;
    const prices = this.#unsorted;
    const toEnd = Math.min(count, this.#prices.length - this.#oldest);
    prices.set(this.#prices.subarray(this.#oldest, this.#oldest + toEnd));
    prices.set(this.#prices.subarray(0, count - toEnd), toEnd);
    this.#forgetBounds();
    for (let index = 0; index < count; index++) {
      const price = prices[index] as number;
      if (price < this.#lowest) this.#lowest = price;
      if (price > this.#highest) this.#highest = price;
    }
    return ticksOf(select(prices, count, (count - 1) >> 1));
  }

  #forgetBounds(): void {
    this.#lowest = Infinity;
    this.#highest = -Infinity;
  }

  #expire(atMicros: number): void {
    const limit = atMicros - this.windowMicros;
    while (this.#count > 0 && (this.#times[this.#oldest] as number) <= limit) this.#dropOldest();
  }

  #dropOldest(): void {
    if (++this.#oldest === this.#prices.length) this.#oldest = 0;
    this.#count--;
    this.#medianIsFresh = false;
  }
}

/**
 * Returns the value at `rank` if the first `count` values were sorted; it reorders them, but is
 * cheaper than a sort. Each swap moves two values, equal ones too, to their sides, so that many
 * equal prices do not make it slow.
 */
function select(values: Float64Array, count: number, rank: number): number {
  let from = 0;
  let to = count - 1;
  while (from < to) {
    const pivot = values[(from + to) >> 1] as number;
    let low = from;
    let high = to;
    while (low <= high) {
      while ((values[low] as number) < pivot) low++;
      while ((values[high] as number) > pivot) high--;
      if (low > high) break;
      const held = values[low] as number;
      values[low++] = values[high] as number;
      values[high--] = held;
    }
    if (rank <= high) to = high;
    else if (rank >= low) from = low;
    else return pivot;
  }
  return values[rank] as number;
}
