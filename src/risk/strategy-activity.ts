/**
 * How strategies behave: how often each places, cancels, fills, is rejected and is refused. The
 * executor and the engine tell; the checks of rates and the breakers ask.
 */
import { TimeWindow } from './time-window.ts';

/** The longest span of a rate or breaker. */
export const conductMs = 3_600_000;

/** What one strategy did within the last hour. */
export class StrategyConduct {
  readonly orders = new TimeWindow(conductMs);
  readonly cancels = new TimeWindow(conductMs);
  readonly fills = new TimeWindow(conductMs);
  readonly rejections = new TimeWindow(conductMs);
  readonly refusals = new TimeWindow(conductMs);

  /** Starts the counts of its breakers anew, when a person has resumed it. */
  forgive(): void {
    this.fills.clear();
    this.rejections.clear();
    this.refusals.clear();
  }
}

export class StrategyActivity {
  /** Orders of all strategies. */
  readonly orders = new TimeWindow(conductMs);
  readonly #strategies = new Map<string, StrategyConduct>();

  of(strategyId: string): StrategyConduct {
    let conduct = this.#strategies.get(strategyId);
    if (conduct === undefined) {
      conduct = new StrategyConduct();
      this.#strategies.set(strategyId, conduct);
    }
    return conduct;
  }

  /** An order was approved, whether or not it arrives. */
  noteOrder(strategyId: string, atMs: number): void {
    this.orders.add(atMs);
    this.of(strategyId).orders.add(atMs);
  }

  forgive(): void {
    for (const conduct of this.#strategies.values()) conduct.forgive();
  }
}
