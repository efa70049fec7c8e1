/**
 * What was traded on the current UTC day, per pair: turnover, and the flows of both currencies,
 * from which the day's loss follows.
 *
 * The loss of a day counts the trades of that day only, with what they bought or sold valued at
 * the mid of now. What was held before the day began is not revalued: holding is not trading.
 */
import type { Market } from '../domain/market.ts';
import type { CurrencyUnits } from './currency-units.ts';
import { Flow } from './flow.ts';
import { Tally } from './tally.ts';

const dayMs = 86_400_000;

export type PairDay = { readonly day: number; readonly turnover: Tally; readonly flow: Flow };

export class DayCount {
  readonly #days = new Map<string, PairDay>();
  readonly #units: CurrencyUnits;

  constructor(units: CurrencyUnits) {
    this.#units = units;
  }

  /**
   * Adds one fill's flows in atoms: positive is received, negative is paid. A fill of a past day
   * is ignored.
   */
  add(
    market: Market,
    flows: {
      readonly timeMs: number;
      readonly turnover: bigint;
      readonly base: bigint;
      readonly counter: bigint;
    },
  ): void {
    const day = Math.floor(flows.timeMs / dayMs);
    let entry = this.#days.get(market.pair);
    if (entry === undefined || entry.day < day) {
      const turnover = new Tally(this.#units.atomsPerUnit(market.counter));
      entry = { day, turnover, flow: new Flow(market, this.#units) };
      this.#days.set(market.pair, entry);
    }
    if (entry.day > day) return;
    entry.turnover.addHeld(flows.turnover);
    entry.flow.add(flows.base, flows.counter);
  }

  /** Returns the trades of `pair` on the UTC day of `nowMs`; undefined if there were none. */
  of(pair: string, nowMs: number): PairDay | undefined {
    const entry = this.#days.get(pair);
    // A day ahead of the clock still counts: a clock that went back must not clear a limit.
    return entry !== undefined && entry.day >= Math.floor(nowMs / dayMs) ? entry : undefined;
  }
}
