/**
 * How far the approved orders of the last five minutes deviate from the mid, over all strategies:
 * the sum of distance × volume per currency. It is counted twice, since a mid may lie between two
 * ticks.
 */
import type { StopCondition } from '../domain/limit-order.ts';
import type { Market } from '../domain/market.ts';
import { Decimal, type Lots, type Ticks } from '../domain/money.ts';
import type { CurrencyUnit, CurrencyUnits, Exact } from './currency-unit.ts';
import { productOf, sumOf, type Whole } from './whole-numbers.ts';

/** The span of the sum, in milliseconds. */
export const collarBudgetMs = 300_000;

/** Expired entries are removed in batches of this size. */
const removedTogether = 1_024;

/**
 * Returns the price that an order's price is compared with, in half ticks: the mid, and for a
 * stop-limit order its stop price, since it trades when the last trade is there.
 */
export function referenceOf(
  { stop }: { readonly stop?: StopCondition | undefined },
  mid2: number | undefined,
): number | undefined {
  return stop === undefined ? mid2 : 2 * stop.price;
}

/** Twice the sum of one currency. */
export class DeviationSum {
  readonly #unit: CurrencyUnit;
  /** When each order was approved, and twice its deviation; those before `#first` have expired. */
  readonly #timesMs: number[] = [];
  readonly #twice: Exact[] = [];
  #first = 0;
  #sum: Exact = 0;

  constructor(unit: CurrencyUnit) {
    this.#unit = unit;
  }

  add(twice: Exact, atMs: number): void {
    this.#timesMs.push(atMs);
    this.#twice.push(twice);
    this.#sum = this.#unit.plus(this.#sum, twice);
  }

  /** Returns twice the sum of the orders that count at `nowMs`. */
  twiceAt(nowMs: number): Exact {
    const untilMs = nowMs - collarBudgetMs;
    const times = this.#timesMs;
    while (this.#first < times.length && !((times[this.#first] as number) > untilMs)) {
      this.#sum = this.#unit.minus(this.#sum, this.#twice[this.#first] as Exact);
      this.#first++;
    }
    if (this.#first >= removedTogether) {
      times.splice(0, this.#first);
      this.#twice.splice(0, this.#first);
      this.#first = 0;
    }
    return this.#sum;
  }
}

export class CollarBudget {
  readonly #units: CurrencyUnits;
  readonly #sums = new Map<string, DeviationSum>();

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Adds an approved order. `distance2` is twice its distance from the mid, in ticks. */
  add(market: Market, order: { distance2: Whole; volume: Lots; atMs: number }): void {
    const unit = this.#units.of(market.counter);
    this.of(market.counter).add(twiceDeviationOf(order, market, unit), order.atMs);
  }

  /** Returns the sum of a currency, which is updated in place. */
  of(currency: string): DeviationSum {
    let sum = this.#sums.get(currency);
    if (sum === undefined) {
      sum = new DeviationSum(this.#units.of(currency));
      this.#sums.set(currency, sum);
    }
    return sum;
  }
}

/** Returns twice what an order deviates from the mid, in the counter currency. */
export function twiceDeviationOf(
  { distance2, volume }: { readonly distance2: Whole; readonly volume: Lots },
  { priceScale, volumeScale }: Market,
  unit: CurrencyUnit,
): Exact {
  return unit.scaled(productOf(distance2, volume), priceScale + volumeScale);
}

/** Returns twice the distance in ticks; `reference2` is twice the reference. */
export function distance2Of(price: Ticks, reference2: number): Whole {
  const difference = sumOf(productOf(2, price), -reference2);
  return difference < 0 ? -difference : difference;
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
