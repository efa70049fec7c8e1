/**
 * A run that is played again, a few events at a time: a backtest, or the journal of a bot. A
 * debugger plays both by this.
 */
import type { Engine } from '../engine.ts';
import type { StepObserver } from './step-observer.ts';

export type SteppedRun = {
  /** For reading, between two calls of `play` and from the observer. */
  readonly engine: Engine;
  /**
   * Plays on until `isEnough` returns true or the run ends, and returns whether more follows.
   * `isEnough` is asked after every few events.
   */
  readonly play: (isEnough: () => boolean) => Promise<boolean>;
  /**
   * In a backtest, returns the volume ahead of an order that rests at the exchange, as decimal
   * text; undefined if it does not rest there. Absent in the journal of a bot, which knows only
   * the bot's own book.
   */
  readonly aheadAtExchange?: (pair: string, clientOrderId: string) => string | undefined;
  /** What the run itself must say, such as that it now does something else than it did. */
  readonly problem: () => string | undefined;
  readonly close: () => void;
};

/** Opens a run at its beginning; each call opens it again. */
export type OpenSteppedRun = (observer: StepObserver) => Promise<SteppedRun>;
