/**
 * The activity of strategies: when each had orders, cancels, fills, rejections and refusals. The
 * executor and the engine record it; the rate checks and the breakers read it.
 */
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

export class AccountActivity {
  /** The orders of all strategies. */
  readonly orders = new TimeWindow(activityMsMax);
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

  resetBreakers(): void {
    for (const activity of this.#strategies.values()) activity.resetBreakers();
  }
}
