/** What a strategy sees of its own orders, fills and position, and of a pair's rules. */
import type { Side } from '../domain/market.ts';
import type { Decimal, Lots, Ticks } from '../domain/money.ts';
import type { OrderState, OwnTerms } from '../domain/order.ts';
import type { Fees, Traded } from './account/own-account.ts';

/**
 * One strategy's position on a pair: what its own fills bought minus what they sold, minus the fees
 * that were taken in the base currency. It starts at 0 with the strategy's first fill. Amounts are
 * whole lots, rounded towards zero.
 */
export type Position = {
  /** The position now; negative if the strategy has sold more than it bought. */
  readonly base: Lots;
  /** The highest possible position: every pending, open or unknown bid fills, and no ask does. */
  readonly highest: Lots;
  /** The lowest possible position: every pending, open or unknown ask fills, and no bid does. */
  readonly lowest: Lots;
  /**
   * The average price of the open position, in counter currency per base currency, by its booked
   * fills and with the fees that were taken in the counter currency. Undefined without a position,
   * and for a position that an older version of Millrace opened.
   */
  readonly averagePrice?: Decimal;
};

/** One order of this strategy. */
export type OwnOrder = {
  /**
   * Identifies the order; from its `place` intent, or made by the engine for an order of a quote.
   */
  readonly key: string;
  /** Its level in the quote; undefined for an order from a `place` intent. */
  readonly level?: string;
  /** Side, price, volume and options, as requested; of a market order, as it counts. */
  readonly terms: OwnTerms;
  /** Volume filled so far, from 0 to `terms.volume`. */
  readonly filled: Lots;
  /**
   * Value, average price and fees of its booked fills; undefined without any. It may lag behind
   * `filled` for a moment, but not once the order is final.
   */
  readonly booked?: Traded;
  /**
   * `pending`: requested in the current event and not yet checked by the gate. Until then, the key
   * of an order of a quote is its level.
   */
  readonly state: OrderState | 'pending';
  /** Whether a cancel was requested and the order is not final yet. */
  readonly cancelling: boolean;
  /**
   * Whether a stop-limit order still waits for its stop price, as far as the exchange has reported;
   * undefined for an order without a stop.
   */
  readonly awaiting?: boolean;
  /** When the bot cancels what is left of it, as requested; undefined if never. */
  readonly expiresMs?: number;
};

/**
 * A fill of an order of this strategy. It may be emitted twice: when the user stream reports it and
 * when it is booked. To add up fills, use the booked ones.
 */
export type Fill = {
  /** The key of the order, see `OwnOrder`. */
  readonly key: string;
  /** The order's level in the quote; undefined for an order from a `place` intent. */
  readonly level?: string;
  /** The order's tag. */
  readonly tag?: string;
  /** The order's side. */
  readonly side: Side;
  /** The price of the trade. */
  readonly price: Ticks;
  /** The volume of the trade, before fees. */
  readonly volume: Lots;
  /** The fees of the fill, exact once it is booked. */
  readonly fees: Fees;
  /** The exchange's time of the trade; until it is booked, when it was reported. */
  readonly atMs: number;
  /** False while only the user stream has reported it, true once the list of trades shows it. */
  readonly booked: boolean;
};

/** An intent, or one order of a quote, that the gate refused. */
export type Refusal = {
  /**
   * The key of the order: of a `place` or `cancel` intent as given, or of an order of a quote as
   * `<level>.<number>`. Empty if the intent has no valid key.
   */
  readonly key: string;
  /** The codes of all checks that failed, never empty; `millrace checks` lists them. */
  readonly codes: readonly string[];
  /** The value that the first failed check observed, as text; `missing` if it is not known. */
  readonly observed: string;
  /** The limit that `observed` violates, as text; `missing` if none is set. */
  readonly limit: string;
};

/** The exchange's rules of a pair and the account's fees, as of the start of the run. */
export type PairRules = {
  /** The smallest volume of an order. */
  readonly volumeMin: Lots;
  /** The largest volume of an order. */
  readonly volumeMax: Lots;
  /** The lowest price of an order. */
  readonly priceMin: Ticks;
  /** The highest price of an order. */
  readonly priceMax: Ticks;
  /** Decimals of a price: one tick is 10^-priceScale of the counter currency. */
  readonly priceScale: number;
  /** Decimals of a volume: one lot is 10^-volumeScale of the base currency. */
  readonly volumeScale: number;
  /** As a fraction (0.001 is 10 bps); negative for a rebate. For signals, not for accounting. */
  readonly makerFee: number;
  /** As a fraction (0.001 is 10 bps). For signals, not for accounting. */
  readonly takerFee: number;
};

/** How much of an order there is room for. */
export type Room = {
  /** From `rules.volumeMin` to the size that was asked for; 0 if there is no room for an order. */
  readonly volume: Lots;
  /** Why it is less than that size, for the reason of an intent; undefined if it is not less. */
  readonly why: string | undefined;
};
