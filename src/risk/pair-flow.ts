/**
 * The net flows of both currencies from fills on one market, and the profit at a price. Exact, and
 * as bounds in whole units for fast comparisons.
 */
import { powerOfTen } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { type UnitParts, UnitSum } from './unit-amount.ts';
import { safe } from './whole-units.ts';

export class PairFlow {
  readonly market: Market;
  readonly #base: UnitSum;
  readonly #counter: UnitSum;
  readonly #unitsPerLot: number;
  readonly #unitsPerValue: number;

  constructor(market: Market, units: CurrencyUnits) {
    this.market = market;
    this.#base = new UnitSum(units.amountPerUnit(market.base));
    this.#counter = new UnitSum(units.amountPerUnit(market.counter));
    this.#unitsPerLot = units.unitsPerLot(market);
    this.#unitsPerValue = units.unitsPerValue(market);
  }

  /** Received minus paid. */
  get base(): bigint {
    return this.#base.amount;
  }

  get counter(): bigint {
    return this.#counter.amount;
  }

  /** Whether there is a position, whose value depends on the price. */
  get isOpen(): boolean {
    return !this.#base.isZero;
  }

  set(base: bigint, counter: bigint): void {
    this.#base.set(base);
    this.#counter.set(counter);
  }

  add(base: UnitParts, counter: UnitParts): void {
    this.#base.add(base);
    this.#counter.add(counter);
  }

  /**
   * Returns the profit (negative: loss) in the counter currency, rounded down; undefined if a price
   * is needed and missing. `price2` is twice the price in ticks.
   */
  profit(price2: number | undefined): bigint | undefined {
    if (!this.isOpen) return this.counter;
    if (price2 === undefined || !Number.isSafeInteger(price2)) return undefined;
    const value = this.base * BigInt(price2);
    const unit = 2n * powerOfTen(this.market.priceScale);
    return this.counter + value / unit - (value % unit < 0n ? 1n : 0n);
  }

  /**
   * Returns a lower bound of twice the profit in units of the counter currency; NaN if not known.
   */
  twiceProfitBelow(price2: number | undefined): number {
    const lots = Math.floor(this.#base.below / this.#unitsPerLot);
    return this.#twiceProfit(lots, this.#counter.below, price2);
  }

  /** As {@link twiceProfitBelow}, but an upper bound. */
  twiceProfitAbove(price2: number | undefined): number {
    const lots = Math.ceil(this.#base.above / this.#unitsPerLot);
    return this.#twiceProfit(lots, this.#counter.above, price2);
  }

  #twiceProfit(lots: number, counter: number, price2: number | undefined): number {
    if (!this.isOpen) return 2 * counter;
    if (price2 === undefined) return Number.NaN;
    return 2 * counter + safe(safe(lots * price2) * this.#unitsPerValue);
  }
}
