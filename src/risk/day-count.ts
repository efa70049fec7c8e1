/**
 * The trading of the current UTC day, per pair: turnover, and the flows of both currencies, from
 * which the day's loss is computed.
 *
 * The loss counts the trades of that day only, and values what they bought or sold at the current
 * mid. What was held before the day began is not revalued.
 */
import type { Amount } from '../domain/amount.ts';
import type { Market } from '../domain/market.ts';
import type { CurrencyUnit, CurrencyUnits, Exact } from './currency-unit.ts';
import type { FillFlows } from './fill-flows.ts';
import { PairFlow } from './pair-flow.ts';

const dayMs = 86_400_000;
type PairDay = { readonly day: number; turnover: Exact; readonly flow: PairFlow };

export class DayCount {
  readonly #days = new Map<string, PairDay>();
  readonly #units: CurrencyUnits;

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /** Adds the flows of one fill. Ignores a fill of a day before the newest one. */
  add(market: Market, flows: FillFlows, timeMs: number): void {
    const day = Math.floor(timeMs / dayMs);
    let entry = this.#days.get(market.pair);
    if (entry === undefined || entry.day < day) {
      entry = { day, turnover: 0, flow: new PairFlow(market) };
      this.#days.set(market.pair, entry);
    }
    if (entry.day > day) return;
    entry.turnover = this.#units.of(market.counter).plus(entry.turnover, flows.turnover);
    entry.flow.add(flows.baseAmount, flows.counterAmount);
  }

  /** Returns the value traded in a counter currency on the UTC day of `nowMs`. */
  turnoverOf(unit: CurrencyUnit, nowMs: number): Exact {
    let sum: Exact = 0;
    for (const entry of this.#days.values())
      if (counts(entry, unit.currency, nowMs)) sum = unit.plus(sum, entry.turnover);
    return sum;
  }

  /**
   * Returns the loss of the UTC day's trades in a counter currency (negative: profit), or
   * undefined if a pair that traded has no mid. `mid2Of` returns bid + ask of a pair in ticks.
   */
  lossOf(
    currency: string,
    nowMs: number,
    mid2Of: (pair: string) => number | undefined,
  ): Amount | undefined {
    let loss = 0n;
    for (const entry of this.#days.values()) {
      if (!counts(entry, currency, nowMs)) continue;
      const profit = entry.flow.profit(mid2Of(entry.flow.market.pair));
      if (profit === undefined) return undefined;
      loss -= profit;
    }
    return loss;
  }
}

/** Whether the trades of an entry are in a counter currency and of the UTC day of `nowMs`. */
function counts({ day, flow }: PairDay, currency: string, nowMs: number): boolean {
  // A day ahead of the clock still counts, so that a clock set back does not clear the totals.
  return flow.market.counter === currency && day >= Math.floor(nowMs / dayMs);
}
