/**
 * The settings of one bot, as checked and frozen by `settings/`. Amounts are decimal strings,
 * spans are milliseconds, shares are fractions as decimal strings ("0.02" for 2 %).
 *
 * Invariant: no member has a default that allows an order. What is missing denies.
 */
import type { FeeRates, Latency } from './scenario-settings.ts';

export type Mode = 'demo' | 'paper' | 'live';

export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** What one strategy may do; checked at start and again on every intent. */
export type StrategyPermissions = {
  readonly sides: readonly ('BID' | 'ASK')[];
  readonly types: readonly 'limit'[];
  readonly timeInForce: readonly TimeInForce[];
  readonly postOnly: 'required' | 'allowed' | 'never';
};

export type StrategySettings = {
  /** Identity: orders, position and state follow it. Lower-case letters, digits and dashes. */
  readonly id: string;
  readonly plugin: string;
  readonly pairs: readonly string[];
  /** As written, for the plugin's own schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The most of each currency that this strategy may have in orders and position. */
  readonly budget: Readonly<Record<string, string>>;
  readonly allow: StrategyPermissions;
  readonly onRestart: 'adopt' | 'cancel';
  readonly onStop: 'cancel' | 'leave';
  readonly onUnusableBook: { readonly withdrawAfterMs: number };
};

/** Limits of the whole account. A currency that is not named takes no order that uses it. */
export type AccountLimits = {
  readonly openNotionalMax: Readonly<Record<string, string>>;
  readonly turnoverDayMax: Readonly<Record<string, string>>;
  readonly lossDayMax: Readonly<Record<string, string>>;
  readonly ordersOpenMax: number;
  readonly ordersPerMinuteMax: number;
};

/** Limits of one pair. A pair that is not named takes no order. */
export type PairLimits = {
  readonly orderBaseMax: string;
  readonly positionBaseMax: string;
  /** The furthest a price may be from the mid and from the median trade, as a fraction. */
  readonly collar: string;
  readonly bookAgeMsMax: number;
};

export type Limits = {
  readonly account: AccountLimits;
  readonly pairs: Readonly<Record<string, PairLimits>>;
};

/** How much of what a long run writes is kept. */
export type KeepSettings = {
  /** Of all journals of the bot together; the oldest go. */
  readonly journalBytesMax: number;
  /**
   * Rows of what has been settled for longer than this go from the database to its archive;
   * undefined leaves all where they are.
   */
  readonly rowsMs: number | undefined;
};

/**
 * Absolute caps of the egress guard, from a file of their own: a second opinion that no limit of
 * the bot's file can widen. A pair that is not named lets no order leave.
 */
export type EgressCaps = {
  /** As it was named, for messages. */
  readonly file: string;
  readonly ordersPerMinuteMax: number;
  /** Per order: base, and price times volume in the counter currency. */
  readonly pairs: Readonly<
    Record<string, { readonly volumeMax: string; readonly valueMax: string }>
  >;
  /** SHA-256 of the file's bytes. */
  readonly hash: string;
};

/** What paper mode pretends. Always there in paper mode. */
export type PaperSettings = {
  /** What the account has at its first start, per currency. */
  readonly balances: Readonly<Record<string, string>>;
  /** Fractions as decimal strings; those of the key's account if they are not given. */
  readonly fees?: FeeRates;
  readonly latencies: {
    /** How late the market's stream is taken to reach us, in microseconds. */
    readonly feedUs: number;
    /** From us to the exchange, and from there to us. */
    readonly request: Latency;
    readonly answer: Latency;
  };
};

export type BotSettings = {
  readonly bot: string;
  readonly mode: Mode;
  readonly venue: string;
  /** Path of the database. */
  readonly store: string;
  /**
   * First part of every client_order_id of this bot: 8 characters of a-z and 2-7. When the file
   * does not give it, the start of the SHA-256 of the bot's name in base 32, so that it is the
   * same at every start.
   */
  readonly namespace: string;
  /**
   * Account id per currency. Empty in demo mode when the file has none: the balance call tells
   * them.
   */
  readonly accounts: Readonly<Record<string, string>>;
  /** The only key that may trade live, by its fingerprint. Always there in live mode. */
  readonly liveKeyFingerprint?: string;
  readonly strategies: readonly StrategySettings[];
  readonly limits: Limits;
  /** The defaults unless given. */
  readonly keep?: KeepSettings;
  readonly paper?: PaperSettings;
  /** Path of the egress caps. Always there in live mode. */
  readonly egress?: string;
  /** SHA-256 of the file's bytes, stored with every run. */
  readonly hash: string;
};

/** How much of the market streams a bot keeps as it received them. With 0 days, nothing. */
export type CaptureSettings = { readonly days: number; readonly bytesMax: number };

/** Where an exchange is: base addresses and the paths that the documents do not show. */
export type VenueSettings = {
  readonly name: string;
  readonly baseUrl: string;
  readonly streamUrl: string;
  /** Path per operation name, only for operations whose path the documents do not show. */
  readonly paths: Readonly<Record<string, string>>;
  readonly userStreamPath: string;
};
