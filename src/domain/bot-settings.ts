/**
 * The settings of one bot, as checked and frozen by `settings/`. Amounts are decimal strings,
 * spans are milliseconds, shares are fractions as decimal strings ("0.02" for 2 %).
 *
 * Invariant: no member has a default that allows an order. What is missing denies.
 */
import type { FeeRates, Latency } from './trading-conditions.ts';

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

/**
 * What happens when a breaker trips. `refuse` and `cancel` end by themselves when the reason does;
 * `reduce` and `halt` stay until a person resumes, through restarts.
 */
export type BreakerAction = 'refuse' | 'cancel' | 'reduce' | 'halt';

/** Trips when there were more than `max` of something within a span. */
export type Breaker = {
  readonly max: number;
  /** At most an hour. */
  readonly withinMs: number;
  readonly action: BreakerAction;
};

/** Limits of the whole account. A currency that is not named takes no order that uses it. */
export type AccountLimits = {
  readonly openNotionalMax: Readonly<Record<string, string>>;
  readonly turnoverDayMax: Readonly<Record<string, string>>;
  readonly lossDayMax: Readonly<Record<string, string>>;
  /** The most that profit may fall from its highest point. */
  readonly drawdownMax: Readonly<Record<string, string>>;
  /** What is done at either limit of losses. */
  readonly onLoss: BreakerAction;
  /** What all orders of five minutes may be away from their references: distance × volume. */
  readonly collarBudgetMax: Readonly<Record<string, string>>;
  /** An order of more value needs a person's approval. */
  readonly approveAbove: Readonly<Record<string, string>>;
  /** Kept free for fees, as a fraction of what the order pays. */
  readonly feeBuffer: string;
  readonly ordersOpenMax: number;
  readonly ordersPerSecondMax: number;
  readonly ordersPerMinuteMax: number;
  /** From a wish to its judgement. */
  readonly intentAgeMsMax: number;
  /** An order that rests for longer is cancelled. */
  readonly orderAgeMsMax: number;
};

/** Limits of each strategy alone; all strategies have the same. */
export type EachStrategyLimits = {
  /** Value of the strategy's orders that are not executed. */
  readonly openNotionalMax: Readonly<Record<string, string>>;
  readonly ordersPerSecondMax: number;
  readonly ordersPerMinuteMax: number;
  /** Cancels for each order of the last hour, as a fraction, which may exceed 1. */
  readonly cancelShareMax: string;
  /** Orders for each fill of the last hour. */
  readonly ordersPerFillMax: number;
  /** So many orders alike may be live that were placed within `withinMs`. */
  readonly identical: { readonly max: number; readonly withinMs: number };
  readonly fills: Breaker;
  /** Orders that the exchange rejected. */
  readonly rejections: Breaker;
  /** Orders that the gate refused. */
  readonly refusals: Breaker;
  /** After more than `max` losing trades in a row on a pair it rests for `coolDownMs`. */
  readonly losingTrades: { readonly max: number; readonly coolDownMs: number };
};

/** Limits of one pair. A pair that is not named takes no order. */
export type PairLimits = {
  readonly orderBaseMax: string;
  readonly positionBaseMax: string;
  /** The furthest a price may be from the mid and from the median trade, as a fraction. */
  readonly collar: string;
  /** The furthest a taker's average price may be from the mid, as a fraction. */
  readonly slippageMax: string;
  /** The most of the other side's best hundred levels that one taker may want, as a fraction. */
  readonly depthShareMax: string;
  readonly bookAgeMsMax: number;
};

export type Limits = {
  readonly account: AccountLimits;
  readonly eachStrategy: EachStrategyLimits;
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

/** The versions that may trade: hashes of the limits with the strategies, and of plugin files. */
export type ApprovedVersions = {
  readonly settings: readonly string[];
  readonly strategies: readonly string[];
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
  /** Always there in live mode. */
  readonly approved?: ApprovedVersions;
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
