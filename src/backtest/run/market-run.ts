/**
 * The markets of a run: of each its stream, its books and the place in its history; and whose
 * messages are due first.
 */
import type { Engine } from '../../engine/engine.ts';
import type { EngineMarket } from '../../engine/engine-market.ts';
import { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { DelayedFeed } from '../../replay-exchange/port/delayed-feed.ts';

export class MarketRun {
  /** Its index among the markets. */
  readonly index: number;
  readonly feed: DelayedFeed;
  readonly market: EngineMarket;
  /** At the next row to play. */
  readonly cursor = new FlowCursor();
  rows = 0;
  readonly #engine: Engine;
  #isQuiet: boolean | undefined;

  constructor(index: number, feed: DelayedFeed, engine: Engine, market: EngineMarket) {
    this.index = index;
    this.feed = feed;
    this.market = market;
    this.#engine = engine;
  }

  /**
   * Whether messages have no listeners until the next step. The engine is asked only when a message
   * is due: most steps are followed by another one first.
   */
  get isQuiet(): boolean {
    this.#isQuiet ??= this.#engine.isQuiet(this.market);
    return this.#isQuiet;
  }

  /** To be called after each step, which may change {@link isQuiet}. */
  noteStep(): void {
    this.#isQuiet = undefined;
  }
}

/** Returns the market whose next message is due first; at equal times the first market. */
export function firstDue(marketRuns: readonly MarketRun[]): MarketRun {
  let first = marketRuns[0] as MarketRun;
  for (let index = 1; index < marketRuns.length; index++) {
    const marketRun = marketRuns[index] as MarketRun;
    if (marketRun.feed.flow.dueMicros < first.feed.flow.dueMicros) first = marketRun;
  }
  return first;
}

/** Returns the time up to which a market's messages are due before those of other markets. */
export function othersDueMicros(marketRuns: readonly MarketRun[], { index }: MarketRun): number {
  let untilMicros = Infinity;
  for (const other of marketRuns) {
    if (other.index === index) continue;
    const { dueMicros } = other.feed.flow;
    untilMicros = Math.min(untilMicros, other.index < index ? dueMicros : dueMicros + 1);
  }
  return untilMicros;
}
