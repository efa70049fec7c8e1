/** What a strategy sees of its own trading and of the account. All of it is by booked fills. */
import type { Decimal, Lots } from '../../domain/money.ts';

/** Fees in both currencies of a pair; negative for a rebate. */
export type Fees = {
  /** In the base currency. */
  readonly base: Decimal;
  /** In the counter currency. */
  readonly counter: Decimal;
};

/** What was traded by an order, or on one side of a pair. */
export type Traded = {
  /** The traded volume, before fees. */
  readonly volume: Lots;
  /** Its value in the counter currency, before fees. */
  readonly value: Decimal;
  /** The average price, in counter currency per base currency; undefined if nothing was traded. */
  readonly averagePrice: Decimal | undefined;
  /** The fees that were paid for it. */
  readonly fees: Fees;
};

/** All that a strategy has traded on a pair since its first fill, also in earlier runs. */
export type Totals = {
  /** The number of fills. */
  readonly fills: number;
  /** What its bids bought. */
  readonly bought: Traded;
  /** What its asks sold. */
  readonly sold: Traded;
  /** The fees of both. */
  readonly fees: Fees;
};

/** A strategy's profit in a counter currency since its first fill, after fees; below 0 a loss. */
export type Profit = {
  /**
   * What closed positions have gained, by the average cost of a position (`position.averagePrice`),
   * less what a fee in the base currency took from an open one. Undefined if a position is open
   * whose average price is not known.
   */
  readonly realised: Decimal | undefined;
  /**
   * What the open position has gained so far, at the mid: 0 without a position. Undefined while
   * there is no mid, or its average price is not known.
   */
  readonly open: Decimal | undefined;
  /** Both together: the profit that `status`, the page and results show. */
  readonly total: Decimal | undefined;
};

/** A currency of the account. What others did to it after `atMs` may be missing. */
export type AccountBalance = {
  /** All of it: the last known balance, and what booked fills have changed since. */
  readonly total: Decimal;
  /** What new orders may spend, from 0: the lowest that it can be by what is known. */
  readonly free: Decimal;
  /** The rest: what open orders hold, those of other programs too. */
  readonly reserved: Decimal;
  /** When the exchange was asked for the last known balance, in milliseconds since the epoch. */
  readonly atMs: number;
};
