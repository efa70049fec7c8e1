/** A strategy's view of a market: frozen values, times in milliseconds of the exchange's clock. */
import type { Side } from './market.ts';
import type { Lots, Ticks } from './money.ts';

/** The best price of each side. A side without orders has no price, and a volume of 0. */
export type Top = {
  readonly bid: Ticks | undefined;
  readonly bidVolume: Lots;
  readonly ask: Ticks | undefined;
  readonly askVolume: Lots;
  readonly timeMs: number;
};

export type Trade = {
  /** The taker's side: BID means that a buyer lifted an offer. */
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  /** The trade's id, from one sequence per market; empty if the exchange did not report it. */
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
