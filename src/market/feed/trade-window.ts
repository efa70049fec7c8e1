/**
 * The prices of recent trades, for the median that price collars measure against.
 *
 * Bounded twice: trades leave when they are older than the window, and the oldest leaves when more
 * than `tradesMax` would be held; a busy market thus has a shorter window.
 */
import type { Ticks } from '../../domain/money.ts';
import { ticksOf } from '../../domain/ticks-and-lots.ts';

export class TradeWindow {
  readonly #windowMicros: number;
  readonly #prices: Float64Array;
  readonly #times: Float64Array;
  /** Where the median is looked for: the prices held, in an order of its own. */
  readonly #unsorted: Float64Array;
  #oldest = 0;
  #count = 0;
  #median: Ticks | undefined;
  #medianIsFresh = true;
  /** No price held is beyond these; prices that have left count until a median is asked for. */
  #lowest = Infinity;
  #highest = -Infinity;

  constructor(windowMicros: number, tradesMax: number) {
    this.#windowMicros = windowMicros;
    this.#prices = new Float64Array(tradesMax);
    this.#times = new Float64Array(tradesMax);
    this.#unsorted = new Float64Array(tradesMax);
  }

  /** Number of trades held. */
  get count(): number {
    return this.#count;
  }

  /** A bound that no price held is below. */
  get lowest(): number {
    return this.#lowest;
  }

  /** A bound that no price held is above. */
  get highest(): number {
    return this.#highest;
  }

  /** Adds a trade; times do not go back. */
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
   * Returns the median price of the trades of the window that ends at `atMicros`, the lower of the
   * two middle ones where their number is even, or undefined if there was no trade.
   */
  median(atMicros: number): Ticks | undefined {
    this.#expire(atMicros);
    return this.heldMedian;
  }

  /** Lets trades leave that are too old at `atMicros`; returns whether any is left. */
  hasTrades(atMicros: number): boolean {
    this.#expire(atMicros);
    return this.#count > 0;
  }

  /** The median of the trades held; as {@link median} at the time that was given last. */
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
    const limit = atMicros - this.#windowMicros;
    while (this.#count > 0 && (this.#times[this.#oldest] as number) <= limit) this.#dropOldest();
  }

  #dropOldest(): void {
    if (++this.#oldest === this.#prices.length) this.#oldest = 0;
    this.#count--;
    this.#medianIsFresh = false;
  }
}

/**
 * Returns the value that would stand at `rank` if the first `count` were sorted, which costs more;
 * they are reordered. Every exchange brings two values to their side, also equal ones, so that
 * many equal prices do not make it slow.
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
