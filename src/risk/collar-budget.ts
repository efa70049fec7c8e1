/**
 * How far the approved orders of the last five minutes deviate from the mid, over all strategies:
 * the sum of distance × volume per currency. Exact, and counted in halves, since a mid may lie
 * between two ticks.
 */
import type { Market } from '../domain/market.ts';
import { Decimal, type Lots, type Ticks } from '../domain/money.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { sumOfUnits, timesUnits, type UnitCount, unitProduct } from './unit-count.ts';

/** The span of the sum, in milliseconds. */
export const collarBudgetMs = 300_000;

/** The sum of one currency, in halves of its unit. */
export type DeviationSum = {
  readonly amountPerUnit: bigint;
  /** When each order was approved, and its deviation; entries before `first` have expired. */
  readonly timesMs: number[];
  readonly halves: UnitCount[];
  first: number;
  sum: UnitCount;
};

/** Expired entries are removed in batches of this size. */
const removedTogether = 1_024;

export class CollarBudget {
  readonly #units: CurrencyUnits;
  readonly #sums = new Map<string, DeviationSum>();

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Adds an approved order. `distance2` is twice its distance from the mid, in ticks. */
  add(market: Market, order: { distance2: number; volume: Lots; atMs: number }): void {
    const sum = this.of(market.counter);
    const deviation = unitProduct(order.distance2, order.volume);
    const halves = timesUnits(deviation, this.#units.unitsPerValue(market));
    sum.timesMs.push(order.atMs);
    sum.halves.push(halves);
    sum.sum = sumOfUnits(sum.sum, halves);
  }

  /** Returns the sum of a currency, which is updated in place; see {@link halfUnitsOf}. */
  of(currency: string): DeviationSum {
    let sum = this.#sums.get(currency);
    if (sum === undefined) {
      const amountPerUnit = this.#units.amountPerUnit(currency);
      sum = { amountPerUnit, timesMs: [], halves: [], first: 0, sum: 0 };
      this.#sums.set(currency, sum);
    }
    return sum;
  }

  /** Returns the exact sum in halves of 10^-18. */
  halfAmount(currency: string, nowMs: number): bigint {
    const sum = this.of(currency);
    expire(sum, nowMs);
    return BigInt(sum.sum) * sum.amountPerUnit;
  }
}

/** Returns a sum in halves of its currency's unit; NaN if it does not fit 2^53. */
export function halfUnitsOf(sum: DeviationSum, nowMs: number): number {
  expire(sum, nowMs);
  return typeof sum.sum === 'number' ? sum.sum : Number.NaN;
}

function expire(sum: DeviationSum, nowMs: number): void {
  const { timesMs, halves } = sum;
  const untilMs = nowMs - collarBudgetMs;
  while (sum.first < timesMs.length && !((timesMs[sum.first] as number) > untilMs)) {
    sum.sum = sumOfUnits(sum.sum, -(halves[sum.first] as UnitCount));
    sum.first++;
  }
  if (sum.first < removedTogether) return;
  timesMs.splice(0, sum.first);
  halves.splice(0, sum.first);
  sum.first = 0;
}

/** Returns twice the distance in ticks; `reference2` is twice the reference. */
export function distance2Of(price: Ticks, reference2: number): number {
  return Math.abs(2 * price - reference2);
}

/**
 * Returns the greatest {@link distance2Of} of a price within `collar` of a mid that is not known.
 * The mid may be above the price, and the collar is a share of the mid.
 */
export function farthest2Of(price: Ticks, collar: Decimal): number {
  const edge2 = collar.times(price).times(2).div(new Decimal(1).minus(collar));
  // A collar of 100 % bounds nothing.
  return Math.min(edge2.ceil().toNumber(), Number.MAX_SAFE_INTEGER); // not money: half ticks
}
