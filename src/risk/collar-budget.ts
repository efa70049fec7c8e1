/**
 * How far the orders of the last five minutes were from their references, over all strategies: the
 * sum of distance × volume per currency. Exact, in half atoms, since a mid lies on half ticks.
 */

import type { Market } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { powerOfTen, unitsAbove } from './amount.ts';
import type { CurrencyUnits } from './currency-units.ts';

export const collarBudgetMs = 300_000;

type Sum = {
  readonly entries: { readonly atMs: number; readonly halfAtoms: bigint }[];
  halfAtoms: bigint;
  halfUnitsAbove: number;
};

export class CollarBudget {
  readonly #units: CurrencyUnits;
  readonly #sums = new Map<string, Sum>();

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Adds an approved order. `distance2` is twice its distance from the reference, in ticks. */
  add(market: Market, order: { distance2: number; volume: Lots; atMs: number }): void {
    const { counter, priceScale, volumeScale } = market;
    let sum = this.#sums.get(counter);
    if (sum === undefined) {
      sum = { entries: [], halfAtoms: 0n, halfUnitsAbove: 0 };
      this.#sums.set(counter, sum);
    }
    const atomsPerValue = powerOfTen(18 - priceScale - volumeScale);
    const halfAtoms = BigInt(order.distance2) * BigInt(order.volume) * atomsPerValue;
    sum.entries.push({ atMs: order.atMs, halfAtoms });
    this.#move(sum, counter, halfAtoms);
  }

  /** Returns the sum in half atoms. */
  halfAtoms(currency: string, nowMs: number): bigint {
    return this.#current(currency, nowMs)?.halfAtoms ?? 0n;
  }

  /** Returns at least the sum in halves of the currency's unit; NaN if that does not fit 2^53. */
  halfUnits(currency: string, nowMs: number): number {
    return this.#current(currency, nowMs)?.halfUnitsAbove ?? 0;
  }

  #current(currency: string, nowMs: number): Sum | undefined {
    const sum = this.#sums.get(currency);
    if (sum === undefined) return undefined;
    let gone = 0;
    let halfAtoms = 0n;
    for (const entry of sum.entries) {
      if (entry.atMs > nowMs - collarBudgetMs) break;
      gone++;
      halfAtoms += entry.halfAtoms;
    }
    if (gone === 0) return sum;
    sum.entries.splice(0, gone);
    this.#move(sum, currency, -halfAtoms);
    return sum;
  }

  #move(sum: Sum, currency: string, halfAtoms: bigint): void {
    sum.halfAtoms += halfAtoms;
    sum.halfUnitsAbove = unitsAbove(sum.halfAtoms, this.#units.atomsPerUnit(currency));
  }
}

/** Returns twice the distance of a price from a reference that is given twice. */
export function distance2Of(price: Ticks, reference2: number): number {
  return Math.abs(2 * price - reference2);
}
