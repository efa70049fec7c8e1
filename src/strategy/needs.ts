/** What a plugin declares about its orders, and the history that it needs. */
import type { Side } from '../domain/market.ts';

/** The orders that a strategy places, which `allow` and the limits must permit. */
export type Needs = {
  /** The sides of its orders; at least one. */
  readonly sides: readonly Side[];
  /** The types of its orders; limit orders only, unless given. */
  readonly types?: readonly ('limit' | 'stop-limit' | 'market')[];
  /** The times in force of its orders; at least one. A market order is `IOC`. */
  readonly timeInForce: readonly ('GTC' | 'IOC' | 'FOK')[];
  /** True if all its orders are post-only, false if none is. */
  readonly postOnly: boolean;
  /** The volume of its usual order, in the base currency, as decimal text. */
  readonly size?: string;
  /** The most orders that it wants on one pair at once, such as all levels of a quote. */
  readonly ordersAtOnce?: number;
};

/**
 * How much history a strategy needs before it runs, for each pair that it trades or watches: the
 * last complete candles before the start, without gaps. A bot requests them from the exchange, and
 * a backtest takes them from its recording. There may be fewer, or none, which the start or the
 * backtest reports. The candle of the period in which the run begins is neither in `history` nor
 * emitted by `candle$`.
 */
export type WarmUp = {
  /**
   * The length of a candle in milliseconds: a number of whole minutes. Lengths that the exchange
   * does not list are put together from shorter candles.
   */
  readonly intervalMs: number;
  /** The number of candles, 0 to 10 000. */
  readonly candles: number;
};

/** How a strategy intends to quote; used only for a warning before the start. */
export type Quoting = {
  /** The distance of its quotes from the mid, as a fraction of the mid. */
  readonly halfSpread: number;
  /** The longest time between two updates of its quotes, in milliseconds. */
  readonly refreshMs?: number;
  /**
   * How far a quote may be from its intended price before it is replaced, as a fraction of the mid.
   */
  readonly tolerance?: number;
};
