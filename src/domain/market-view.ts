/**
 * What a strategy sees of a market: fresh, frozen values. Times are the exchange's, in
 * milliseconds.
 */
import type { Side } from './market.ts';
import type { Lots, Ticks } from './money.ts';

/** The best price of each side. A side without orders has neither price nor volume. */
export type Top = {
  readonly bid: Ticks | undefined;
  readonly bidVolume: Lots;
  readonly ask: Ticks | undefined;
  readonly askVolume: Lots;
  readonly timeMs: number;
};

export type Trade = {
  /** The taker's side: BID means that a buyer took an offer. */
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  /** The trade's id, one sequence for the whole market; empty if the exchange told none. */
  readonly sequence: string;
  readonly timeMs: number;
};

export type Candle = {
  readonly startMs: number;
  readonly intervalMs: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
};
