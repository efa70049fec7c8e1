/**
 * The figures of each UTC day of a market. A day is the difference of totals at its end and at its
 * beginning, so that a fill costs nothing more.
 */
import { type Amount, formatAmount } from '../../domain/amount.ts';

const dayMicros = 86_400_000_000;

export type DayFigures = {
  /** Like 2026-01-31. */
  readonly day: string;
  /** The recorded time within the run. */
  readonly seconds: number;
  readonly fills: number;
  /** In the counter currency. */
  readonly turnover: string;
  readonly fees: string;
  /** The change of profit within the day. */
  readonly profit: string;
  /** At the end of the day, in the base currency. */
  readonly position: string;
};

/** Totals since the start of the run. */
export type DayTotals = {
  readonly fills: number;
  readonly turnover: Amount;
  readonly fees: Amount;
  readonly profit: Amount;
  readonly position: Amount;
  readonly watchedMicros: number;
};

const noTotals: DayTotals = {
  ...{ fills: 0, turnover: 0n, fees: 0n, profit: 0n, position: 0n, watchedMicros: 0 },
};

export class DaySums {
  readonly #days: DayFigures[] = [];
  #before = noTotals;
  /** When the current day ends. */
  #endMicros: number;

  constructor(startMicros: number) {
    this.#endMicros = (Math.floor(startMicros / dayMicros) + 1) * dayMicros;
  }

  /** Oldest first; a day of which nothing was recorded is missing. */
  get days(): readonly DayFigures[] {
    return this.#days;
  }

  get endMicros(): number {
    return this.#endMicros;
  }

  /** Ends the current day; `totals` are those at {@link endMicros}, or at the end of the run. */
  end(totals: DayTotals): void {
    const before = this.#before;
    const atMs = (this.#endMicros - dayMicros) / 1_000;
    this.#endMicros += dayMicros;
    this.#before = totals;
    const micros = totals.watchedMicros - before.watchedMicros;
    const profit = totals.profit - before.profit;
    if (micros === 0 && profit === 0n && totals.fills === before.fills) return;
    this.#days.push({
      day: new Date(atMs).toISOString().slice(0, 10),
      seconds: micros / 1e6,
      fills: totals.fills - before.fills,
      turnover: formatAmount(totals.turnover - before.turnover),
      fees: formatAmount(totals.fees - before.fees),
      profit: formatAmount(profit),
      position: formatAmount(totals.position),
    });
  }
}
