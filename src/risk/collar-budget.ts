/**
 * How far the orders of the last five minutes were from their references, over all strategies: the
 * sum of distance × volume per currency. Exact, in half atoms, since a mid lies on half ticks.
 */

import { amountScale, powerOfTen } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { unitsAbove } from './whole-units.ts';

export const collarBudgetMs = 300_000;

/** What strayed in one currency. */
export type StrayedSum = {
  readonly amountPerUnit: bigint;
  readonly entries: { readonly atMs: number; readonly halfAmount: bigint }[];
  halfAmount: bigint;
  halfUnitsAbove: number;
};

export class CollarBudget {
  readonly #units: CurrencyUnits;
  readonly #sums = new Map<string, StrayedSum>();

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Adds an approved order. `distance2` is twice its distance from the reference, in ticks. */
  add(market: Market, order: { distance2: number; volume: Lots; atMs: number }): void {
    const { counter, priceScale, volumeScale } = market;
    const sum = this.of(counter);
    const amountPerValue = powerOfTen(amountScale - priceScale - volumeScale);
    const halfAmount = BigInt(order.distance2) * BigInt(order.volume) * amountPerValue;
    sum.entries.push({ atMs: order.atMs, halfAmount });
    move(sum, halfAmount);
  }

  /** Returns where a currency's orders are summed up; see {@link halfUnitsOf}. */
  of(currency: string): StrayedSum {
    let sum = this.#sums.get(currency);
    if (sum === undefined) {
      const amountPerUnit = this.#units.amountPerUnit(currency);
      sum = { amountPerUnit, entries: [], halfAmount: 0n, halfUnitsAbove: 0 };
      this.#sums.set(currency, sum);
    }
    return sum;
  }

  /** Returns the sum in half atoms. */
  halfAmount(currency: string, nowMs: number): bigint {
    return current(this.of(currency), nowMs).halfAmount;
  }
}

/** Returns at least a sum in halves of its currency's unit; NaN if that does not fit 2^53. */
export function halfUnitsOf(sum: StrayedSum, nowMs: number): number {
  return current(sum, nowMs).halfUnitsAbove;
}

function current(sum: StrayedSum, nowMs: number): StrayedSum {
  const { entries } = sum;
  const untilMs = nowMs - collarBudgetMs;
  let gone = 0;
  let halfAmount = 0n;
  for (
    let entry = entries[0];
    entry !== undefined && !(entry.atMs > untilMs);
    entry = entries[gone]
  ) {
    gone++;
    halfAmount += entry.halfAmount;
  }
  if (gone === 0) return sum;
  entries.splice(0, gone);
  move(sum, -halfAmount);
  return sum;
}

function move(sum: StrayedSum, halfAmount: bigint): void {
  sum.halfAmount += halfAmount;
  sum.halfUnitsAbove = unitsAbove(sum.halfAmount, sum.amountPerUnit);
}

/** Returns twice the distance of a price from a reference that is given twice. */
export function distance2Of(price: Ticks, reference2: number): number {
  return Math.abs(2 * price - reference2);
}
