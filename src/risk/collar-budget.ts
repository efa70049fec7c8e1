/**
 * How far the orders of the last five minutes were from their references, over all strategies: the
 * sum of distance × volume per currency. Exact, in half atoms, since a mid lies on half ticks.
 */
import type { Market } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { sumOfUnits, timesUnits, type UnitCount, unitProduct } from './unit-count.ts';

export const collarBudgetMs = 300_000;

/** What strayed in one currency, in halves of its unit. */
export type StrayedSum = {
  readonly amountPerUnit: bigint;
  /** When each order was approved and how far it strayed; those before `first` are over. */
  readonly timesMs: number[];
  readonly halves: UnitCount[];
  first: number;
  sum: UnitCount;
};

/** So many that are over are dropped together. */
const droppedTogether = 1_024;

export class CollarBudget {
  readonly #units: CurrencyUnits;
  readonly #sums = new Map<string, StrayedSum>();

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Adds an approved order. `distance2` is twice its distance from the reference, in ticks. */
  add(market: Market, order: { distance2: number; volume: Lots; atMs: number }): void {
    const sum = this.of(market.counter);
    const traded = unitProduct(order.distance2, order.volume);
    const halves = timesUnits(traded, this.#units.unitsPerValue(market));
    sum.timesMs.push(order.atMs);
    sum.halves.push(halves);
    sum.sum = sumOfUnits(sum.sum, halves);
  }

  /** Returns where a currency's orders are summed up; see {@link halfUnitsOf}. */
  of(currency: string): StrayedSum {
    let sum = this.#sums.get(currency);
    if (sum === undefined) {
      const amountPerUnit = this.#units.amountPerUnit(currency);
      sum = { amountPerUnit, timesMs: [], halves: [], first: 0, sum: 0 };
      this.#sums.set(currency, sum);
    }
    return sum;
  }

  /** Returns the sum in half atoms. */
  halfAmount(currency: string, nowMs: number): bigint {
    const sum = this.of(currency);
    expire(sum, nowMs);
    return BigInt(sum.sum) * sum.amountPerUnit;
  }
}

/** Returns a sum in halves of its currency's unit; NaN if that does not fit 2^53. */
export function halfUnitsOf(sum: StrayedSum, nowMs: number): number {
  expire(sum, nowMs);
  return typeof sum.sum === 'number' ? sum.sum : Number.NaN;
}

function expire(sum: StrayedSum, nowMs: number): void {
  const { timesMs, halves } = sum;
  const untilMs = nowMs - collarBudgetMs;
  while (sum.first < timesMs.length && !((timesMs[sum.first] as number) > untilMs)) {
    sum.sum = sumOfUnits(sum.sum, -(halves[sum.first] as UnitCount));
    sum.first++;
  }
  if (sum.first < droppedTogether) return;
  timesMs.splice(0, sum.first);
  halves.splice(0, sum.first);
  sum.first = 0;
}

/** Returns twice the distance of a price from a reference that is given twice. */
export function distance2Of(price: Ticks, reference2: number): number {
  return Math.abs(2 * price - reference2);
}
