/** A strategy's view of a market: frozen values, times in milliseconds of the exchange's clock. */
import type { Side } from './market.ts';
import type { Lots, Ticks } from './money.ts';

/** The best price of each side. A side without orders has no price, and a volume of 0. */
export type Top = {
  /** The highest price of a bid. */
  readonly bid: Ticks | undefined;
  /** The volume of all bids at that price. */
  readonly bidVolume: Lots;
  /** The lowest price of an ask. */
  readonly ask: Ticks | undefined;
  /** The volume of all asks at that price. */
  readonly askVolume: Lots;
  /** The exchange's time of the last change, in milliseconds since the epoch. */
  readonly timeMs: number;
};

/** All orders of one side of a book at one price. */
export type BookLevel = {
  readonly price: Ticks;
  /** Above 0. */
  readonly volume: Lots;
};

/** One trade of a market. */
export type Trade = {
  /** The taker's side: BID means that a buyer lifted an offer. */
  readonly side: Side;
  /** The price of the maker's order. */
  readonly price: Ticks;
  /** The traded volume, above 0. */
  readonly volume: Lots;
  /** The trade's id, from one sequence per market; empty if the exchange did not report it. */
  readonly sequence: string;
  /** The exchange's time of the trade, in milliseconds since the epoch. */
  readonly timeMs: number;
};

/**
 * Takes trades that arrived together, for candles: their prices as in a candle, which are equal for
 * one trade, and their volume. Runs no code of a plugin.
 */
export type TradeCollector = (
  open: Ticks,
  high: Ticks,
  low: Ticks,
  close: Ticks,
  volume: Lots,
) => void;

/** The trades of one period. Without trades, all prices are the last price and the volume is 0. */
export type Candle = {
  /** The start of the period, in milliseconds since the epoch. */
  readonly startMs: number;
  /** The length of the period, in milliseconds. */
  readonly intervalMs: number;
  /** The price of the first trade. */
  readonly open: Ticks;
  /** The highest price. */
  readonly high: Ticks;
  /** The lowest price. */
  readonly low: Ticks;
  /** The price of the last trade. */
  readonly close: Ticks;
  /** The volume of all trades. */
  readonly volume: Lots;
};
