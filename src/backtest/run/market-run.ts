/** One market of a run: its stream, its books and the place in its history. */
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
  /** The number of rows played. */
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
