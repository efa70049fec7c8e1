/**
 * Every fill of a run with the mid before it, and where the mid was 1, 5, 30 and 60 seconds later.
 *
 * A markout is what the mid moved in our favor after a fill, per unit: positive for a good fill,
 * negative for one that somebody knew better about. Prices are in half ticks, so that no mid needs
 * rounding.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { ToldTrade } from '../../tape/tape-order.ts';

export const markoutSeconds = [1, 5, 30, 60] as const;

export type LoggedFill = {
  readonly atMs: number;
  readonly strategyId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly isMaker: boolean;
  /** Best bid plus best ask before the trade; undefined if a side was empty. */
  readonly mid2: number | undefined;
  /** The same after each of {@link markoutSeconds}; undefined if the recording ended first. */
  readonly later2: (number | undefined)[];
};

export class FillLog {
  readonly fills: LoggedFill[] = [];
  /** Per horizon, the first fill that still waits for it. */
  readonly #next = markoutSeconds.map(() => 0);

  /** Adds a trade of ours; `mid2` is of the moment before it. */
  add(trade: ToldTrade, strategyId: string, mid2: number | undefined): void {
    const { order, price, volume, isMaker, timeMs } = trade;
    const later2 = markoutSeconds.map(() => undefined);
    const { side } = order;
    this.fills.push({ atMs: timeMs, strategyId, side, price, volume, isMaker, mid2, later2 });
  }

  /** Says that the mid was `mid2` until `atMs`, when it may change. */
  pass(atMs: number, mid2: number | undefined): void {
    for (const [horizon, seconds] of markoutSeconds.entries())
      for (let index = this.#next[horizon] as number; ; index++) {
        const fill = this.fills[index];
        if (fill === undefined || fill.atMs + seconds * 1_000 >= atMs) {
          this.#next[horizon] = index;
          break;
        }
        fill.later2[horizon] = mid2;
      }
  }
}
