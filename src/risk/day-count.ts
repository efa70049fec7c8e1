/**
 * What was traded on the current UTC day, per pair: turnover, and the flows of both currencies,
 * from which the day's loss follows.
 *
 * The loss of a day counts the trades of that day only, with what they bought or sold valued at
 * the mid of now. What was held before the day began is not revalued: holding is not trading.
 */
import type { Market } from '../domain/market.ts';
import { powerOfTen } from './amount.ts';

const dayMs = 86_400_000;

type PairDay = { day: number; turnover: bigint; base: bigint; counter: bigint };

export class DayCount {
  readonly #days = new Map<string, PairDay>();

  /**
   * Adds one fill's flows in atoms: positive is received, negative is paid. A fill of a past day
   * is ignored.
   */
  add(
    pair: string,
    flows: {
      readonly timeMs: number;
      readonly turnover: bigint;
      readonly base: bigint;
      readonly counter: bigint;
    },
  ): void {
    const day = Math.floor(flows.timeMs / dayMs);
    let entry = this.#days.get(pair);
    if (entry === undefined || entry.day < day) {
      entry = { day, turnover: 0n, base: 0n, counter: 0n };
      this.#days.set(pair, entry);
    }
    if (entry.day > day) return;
    entry.turnover += flows.turnover;
    entry.base += flows.base;
    entry.counter += flows.counter;
  }

  /**
   * Returns the value traded on `pair` on the UTC day of `nowMs`, in atoms of its counter
   * currency.
   */
  turnover(pair: string, nowMs: number): bigint {
    return this.#of(pair, nowMs)?.turnover ?? 0n;
  }

  /**
   * Returns the profit (negative: loss) of the day's trades on `market` in atoms of its counter
   * currency, rounded down. `mid2` is bid + ask in ticks. Undefined if a mid is needed and there
   * is none.
   */
  profit(market: Market, nowMs: number, mid2: number | undefined): bigint | undefined {
    const entry = this.#of(market.pair, nowMs);
    if (entry === undefined) return 0n;
    if (entry.base === 0n) return entry.counter;
    if (mid2 === undefined || !Number.isSafeInteger(mid2)) return undefined;
    const worth = entry.base * BigInt(mid2);
    const unit = 2n * powerOfTen(market.priceScale);
    const down = worth / unit - (worth % unit < 0n ? 1n : 0n);
    return entry.counter + down;
  }

  #of(pair: string, nowMs: number): PairDay | undefined {
    const entry = this.#days.get(pair);
    // A day ahead of the clock still counts: a clock that went back must not clear a limit.
    return entry !== undefined && entry.day >= Math.floor(nowMs / dayMs) ? entry : undefined;
  }
}
