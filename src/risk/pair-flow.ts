/** The net flows of both currencies from fills on one market, and the profit at a price. */
import { type Amount, powerOfTen } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';

export class PairFlow {
  readonly market: Market;
  /** Received minus paid. */
  base: Amount = 0n;
  counter: Amount = 0n;
  /** What the base currency's flow times a price in half ticks is divided by. */
  readonly #divisor: bigint;

  constructor(market: Market) {
    this.market = market;
    this.#divisor = 2n * powerOfTen(market.priceScale);
  }

  /** Whether there is a position, whose value depends on the price. */
  get isOpen(): boolean {
    return this.base !== 0n;
  }

  add(base: Amount, counter: Amount): void {
    this.base += base;
    this.counter += counter;
  }

  /**
   * Returns the profit (negative: loss) in the counter currency, rounded down; undefined if a price
   * is needed and missing. `price2` is twice the price in ticks.
   */
  profit(price2: number | undefined): Amount | undefined {
    if (!this.isOpen) return this.counter;
    if (price2 === undefined || !Number.isSafeInteger(price2)) return undefined;
    const value = this.base * BigInt(price2);
    const whole = value / this.#divisor;
    return this.counter + (whole * this.#divisor > value ? whole - 1n : whole);
  }
}
