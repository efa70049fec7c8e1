/**
 * The prices of recent trades, for the median that price collars measure against.
 *
 * Bounded twice: trades leave when they are older than the window, and the oldest leaves when more
 * than `tradesMax` would be held; a busy market thus has a shorter window.
 */
import type { Ticks } from '../domain/money.ts';

export class TradeWindow {
  readonly #windowMicros: number;
  readonly #prices: Float64Array;
  readonly #times: Float64Array;
  #oldest = 0;
  #count = 0;
  #median: Ticks | undefined;
  #medianIsFresh = true;

  constructor(windowMicros: number, tradesMax: number) {
    this.#windowMicros = windowMicros;
    this.#prices = new Float64Array(tradesMax);
    this.#times = new Float64Array(tradesMax);
  }

  /** Number of trades held. */
  get count(): number {
    return this.#count;
  }

  /** Adds a trade; times do not go back. */
  add(price: Ticks, atMicros: number): void {
    this.#expire(atMicros);
    if (this.#count === this.#prices.length) this.#dropOldest();
    const index = (this.#oldest + this.#count) % this.#prices.length;
    this.#prices[index] = price;
    this.#times[index] = atMicros;
    this.#count++;
    this.#medianIsFresh = false;
  }

  /**
   * Returns the median price of the trades of the window that ends at `atMicros`, the lower of the
   * two middle ones where their number is even, or undefined if there was no trade.
   */
  median(atMicros: number): Ticks | undefined {
    this.#expire(atMicros);
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
    const prices = new Float64Array(this.#count);
    for (let i = 0; i < this.#count; i++)
      prices[i] = this.#prices[(this.#oldest + i) % this.#prices.length] as number;
    prices.sort();
    return prices[(this.#count - 1) >> 1] as Ticks | undefined;
  }

  #expire(atMicros: number): void {
    const limit = atMicros - this.#windowMicros;
    while (this.#count > 0 && (this.#times[this.#oldest] as number) <= limit) this.#dropOldest();
  }

  #dropOldest(): void {
    this.#oldest = (this.#oldest + 1) % this.#prices.length;
    this.#count--;
    this.#medianIsFresh = false;
  }
}
