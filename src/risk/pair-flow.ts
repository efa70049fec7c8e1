/**
 * The net flows of both currencies from fills on one market, and the profit at a price. Exact, and
 * as a lower bound in whole units for fast comparisons.
 */
import { amountScale, powerOfTen } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { safe, unitsBelow } from './whole-units.ts';

export class PairFlow {
  /** Received minus paid. */
  base = 0n;
  counter = 0n;
  readonly market: Market;
  readonly #amountPerLot: bigint;
  readonly #amountPerUnit: bigint;
  readonly #unitsPerValue: number;
  #lotsBelow = 0;
  #counterUnitsBelow = 0;

  constructor(market: Market, units: CurrencyUnits) {
    this.market = market;
    this.#amountPerLot = powerOfTen(amountScale - market.volumeScale);
    this.#amountPerUnit = units.amountPerUnit(market.counter);
    this.#unitsPerValue = units.unitsPerValue(market);
  }

  set(base: bigint, counter: bigint): void {
    this.base = base;
    this.counter = counter;
    this.#lotsBelow = unitsBelow(base, this.#amountPerLot);
    this.#counterUnitsBelow = unitsBelow(counter, this.#amountPerUnit);
  }

  add(base: bigint, counter: bigint): void {
    this.set(this.base + base, this.counter + counter);
  }

  /**
   * Returns the profit (negative: loss) in the counter currency, rounded down; undefined if a price
   * is needed and missing. `price2` is twice the price in ticks.
   */
  profit(price2: number | undefined): bigint | undefined {
    if (this.base === 0n) return this.counter;
    if (price2 === undefined || !Number.isSafeInteger(price2)) return undefined;
    const value = this.base * BigInt(price2);
    const unit = 2n * powerOfTen(this.market.priceScale);
    return this.counter + value / unit - (value % unit < 0n ? 1n : 0n);
  }

  /**
   * Returns a lower bound of twice the profit in units of the counter currency; NaN if not known.
   */
  twiceProfitBelow(price2: number | undefined): number {
    if (this.base === 0n) return 2 * this.#counterUnitsBelow;
    if (price2 === undefined) return Number.NaN;
    const twiceValue = safe(safe(this.#lotsBelow * price2) * this.#unitsPerValue);
    return 2 * this.#counterUnitsBelow + twiceValue;
  }
}
