/**
 * The activity of strategies: when each had orders, cancels, fills, rejections and refusals. The
 * executor and the engine record it; the rate checks and the breakers read it.
 */
import type { Side } from '../domain/market.ts';
import { TimeWindow } from './time-window.ts';

/** The longest span of a rate or breaker, in milliseconds. */
export const activityMsMax = 3_600_000;

/** The activity of one strategy within the last hour. */
export class StrategyActivity {
  readonly orders = new TimeWindow(activityMsMax);
  readonly cancels = new TimeWindow(activityMsMax);
  readonly fills = new TimeWindow(activityMsMax);
  readonly rejections = new TimeWindow(activityMsMax);
  readonly refusals = new TimeWindow(activityMsMax);

  /** Clears the counts of its breakers, after a person has resumed it. */
  resetBreakers(): void {
    this.fills.clear();
    this.rejections.clear();
    this.refusals.clear();
  }
}

/** An order, as far as rejections are counted. */
type Placed = {
  readonly strategyId: string;
  readonly pair: string;
  readonly level: string | undefined;
  readonly terms: { readonly side: Side };
};

export class AccountActivity {
  /** The orders of all strategies. */
  readonly orders = new TimeWindow(activityMsMax);
  /** Levels, and sides without levels, whose last order was rejected because it would trade. */
  readonly #postOnlyRejected = new Set<string>();
  readonly #strategies = new Map<string, StrategyActivity>();

  of(strategyId: string): StrategyActivity {
    let activity = this.#strategies.get(strategyId);
    if (activity === undefined) {
      activity = new StrategyActivity();
      this.#strategies.set(strategyId, activity);
    }
    return activity;
  }

  /** Counts an approved order of a strategy, whether or not it reaches the exchange. */
  noteOrder(own: StrategyActivity, atMs: number): void {
    this.orders.add(atMs);
    own.orders.add(atMs);
  }

  /** Counts an order that the exchange rejected for its own fault. */
  noteRejected({ strategyId }: Placed, atMs: number): void {
    this.of(strategyId).rejections.add(atMs);
  }

  /**
   * Notes a post-only order that was rejected because it would trade. The first in a row does
   * not count, because the market may have moved while it was on its way; each further one does.
   */
  notePostOnlyRejected(order: Placed, atMs: number): void {
    const place = placeOf(order);
    if (this.#postOnlyRejected.has(place)) this.noteRejected(order, atMs);
    else this.#postOnlyRejected.add(place);
  }

  /** Notes that the exchange accepted an order, which ends the row of rejections of its place. */
  noteAccepted(order: Placed): void {
    if (this.#postOnlyRejected.size > 0) this.#postOnlyRejected.delete(placeOf(order));
  }

  resetBreakers(): void {
    for (const activity of this.#strategies.values()) activity.resetBreakers();
  }
}

/** The level of an order of a quote; all other orders of a side share one place. */
function placeOf({ strategyId, pair, level, terms: { side } }: Placed): string {
  return JSON.stringify([strategyId, pair, side, level]);
}
