/**
 * The trading of the current UTC day, per pair: turnover, and the flows of both currencies, from
 * which the day's loss is computed.
 *
 * The loss counts the trades of that day only, and values what they bought or sold at the current
 * mid. What was held before the day began is not revalued.
 */
import type { Market } from '../domain/market.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { ExposureBounds } from './exposure-bounds.ts';
import { PairFlow } from './pair-flow.ts';
import type { UnitParts } from './unit-amount.ts';
import { safe } from './whole-units.ts';

const dayMs = 86_400_000;
const noMarkets: readonly Market[] = [];

export type PairDay = {
  readonly day: number;
  readonly turnover: ExposureBounds;
  readonly flow: PairFlow;
};

export class DayCount {
  readonly #days = new Map<string, PairDay>();
  /** Markets by their counter currency. */
  readonly #markets = new Map<string, Market[]>();
  readonly #units: CurrencyUnits;

  constructor(markets: ReadonlyMap<string, Market>, units: CurrencyUnits) {
    for (const market of markets.values())
      this.#markets.set(market.counter, [...this.#marketsOf(market.counter), market]);
    this.#units = units;
  }

  /**
   * Adds the flows of one fill: positive is received, negative is paid. Ignores a fill of a day
   * before the newest one.
   */
  add(
    market: Market,
    flows: {
      readonly timeMs: number;
      readonly turnover: UnitParts;
      readonly base: UnitParts;
      readonly counter: UnitParts;
    },
  ): void {
    const day = Math.floor(flows.timeMs / dayMs);
    let entry = this.#days.get(market.pair);
    if (entry === undefined || entry.day < day) {
      const turnover = new ExposureBounds(this.#units.amountPerUnit(market.counter));
      entry = { day, turnover, flow: new PairFlow(market, this.#units) };
      this.#days.set(market.pair, entry);
    }
    if (entry.day > day) return;
    entry.turnover.addHeld(flows.turnover);
    entry.flow.add(flows.base, flows.counter);
  }

  /** Returns the trades of `pair` on the UTC day of `nowMs`; undefined if there were none. */
  of(pair: string, nowMs: number): PairDay | undefined {
    const entry = this.#days.get(pair);
    // A day ahead of the clock still counts, so that a clock set back does not clear the totals.
    return entry !== undefined && entry.day >= Math.floor(nowMs / dayMs) ? entry : undefined;
  }

  /** Returns the value traded in a counter currency on the UTC day of `nowMs`. */
  turnoverOf(currency: string, nowMs: number): bigint {
    let sum = 0n;
    for (const market of this.#marketsOf(currency))
      sum += this.of(market.pair, nowMs)?.turnover.held ?? 0n;
    return sum;
  }

  /** Returns the turnover in whole units, rounded up; NaN if it does not fit 2^53. */
  turnoverUnits(currency: string, nowMs: number): number {
    let sum = 0;
    for (const { pair } of this.#marketsOf(currency))
      sum += this.of(pair, nowMs)?.turnover.highestUnits ?? 0;
    return safe(sum);
  }

  /**
   * Returns the loss of the UTC day's trades in a counter currency (negative: profit), or
   * undefined if a pair that traded has no mid. `mid2Of` returns bid + ask of a pair in ticks.
   */
  lossOf(
    currency: string,
    nowMs: number,
    mid2Of: (pair: string) => number | undefined,
  ): bigint | undefined {
    let loss = 0n;
    for (const market of this.#marketsOf(currency)) {
      const flow = this.of(market.pair, nowMs)?.flow;
      if (flow === undefined) continue;
      const profit = flow.profit(mid2Of(market.pair));
      if (profit === undefined) return undefined;
      loss -= profit;
    }
    return loss;
  }

  /** Returns an upper bound of twice the loss in whole units; NaN if it is not known. */
  twiceLossUnits(
    currency: string,
    nowMs: number,
    mid2Of: (pair: string) => number | undefined,
  ): number {
    let twice = 0;
    for (const { pair } of this.#marketsOf(currency)) {
      const flow = this.of(pair, nowMs)?.flow;
      if (flow !== undefined) twice -= flow.twiceProfitBelow(mid2Of(pair));
    }
    return safe(twice);
  }

  #marketsOf(currency: string): readonly Market[] {
    return this.#markets.get(currency) ?? noMarkets;
  }
}
