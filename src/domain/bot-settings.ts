/**
 * The settings of one bot, as checked and frozen by `settings/`. Amounts are decimal strings,
 * spans are milliseconds, shares are fractions as decimal strings ("0.02" for 2 %).
 *
 * Invariant: budgets and limits have no defaults, and without them every order is refused.
 */
import type { Limits } from './declared-limits.ts';
import type { FeedRule } from './feed.ts';
import type { FeeRates, Latency } from './trading-conditions.ts';

export type Mode = 'demo' | 'paper' | 'live';

export type TimeInForce = 'GTC' | 'IOC' | 'FOK';

/** The types of orders that a strategy may be allowed. */
export const orderTypes = ['limit', 'stop-limit', 'market'] as const;

export type OrderType = (typeof orderTypes)[number];

/** What a strategy may do; checked at the start and for every order. */
export type StrategyPermissions = {
  readonly sides: readonly ('BID' | 'ASK')[];
  readonly types: readonly OrderType[];
  readonly timeInForce: readonly TimeInForce[];
  readonly postOnly: 'required' | 'allowed' | 'never';
};

export type StrategySettings = {
  /** Orders, position and state belong to the id. Lower-case letters, digits and dashes. */
  readonly id: string;
  /** The name of a shipped plugin, a path that begins with ./ or ../, or a package. */
  readonly plugin: string;
  /** Those that it trades; empty if it only watches. */
  readonly pairs: readonly string[];
  /** The pairs that it only watches: orders on them are refused. Absent if it watches none. */
  readonly watch?: readonly string[];
  /** Unchanged, for the plugin's schema. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** The most of each currency that the strategy may use in open orders and position. */
  readonly budget: Readonly<Record<string, string>>;
  readonly allow: StrategyPermissions;
  readonly onRestart: 'adopt' | 'cancel';
  readonly onStop: 'cancel' | 'leave';
  /**
   * How an order of a quote is replaced: `overlap` sends the new order together with the cancel of
   * the old one if all limits hold for both; `cancel` sends it once the old one has ended.
   */
  readonly onMove: 'overlap' | 'cancel';
  readonly onUnusableBook: { readonly withdrawAfterMs: number };
  /** The names of the feeds that it sees; none if absent. */
  readonly feeds?: readonly string[];
};

/** The pairs of a strategy, as settings or a draft of them give them. */
export type SeenPairs = {
  readonly pairs?: readonly string[] | undefined;
  readonly watch?: readonly string[] | undefined;
};

/** Returns the pairs that a strategy sees: those that it trades, then those that it watches. */
export function seenPairs({ pairs = [], watch = [] }: SeenPairs): readonly string[] {
  return [...pairs, ...watch];
}

/** Whether a strategy watches `pair` and none trades it. */
export function isOnlyWatched(
  strategies: readonly (SeenPairs | undefined)[],
  pair: string,
): boolean {
  const isIn = (key: keyof SeenPairs) => strategies.some((one) => one?.[key]?.includes(pair));
  return isIn('watch') && !isIn('pairs');
}

/** Whether a strategy trades or watches `pair`. */
export function seesPair({ pairs, watch }: SeenPairs, pair: string): boolean {
  return pairs?.includes(pair) === true || watch?.includes(pair) === true;
}

/** Whether any of `strategies` trades: without one, a bot needs no limits and no accounts. */
export function anyTrades(strategies: readonly Pick<StrategySettings, 'pairs'>[]): boolean {
  return strategies.some(({ pairs }) => pairs.length > 0);
}

/** How much of the data of a long run is kept. */
export type KeepSettings = {
  /** Size of all journals of the bot together; the oldest are deleted. */
  readonly journalBytesMax: number;
  /** Rows about orders settled longer ago move to the archive; undefined keeps all rows. */
  readonly rowsMs: number | undefined;
};

/** The versions that may trade: hashes of the limits with the strategies, and of plugins. */
export type ApprovedVersions = {
  readonly settings: readonly string[];
  readonly strategies: readonly string[];
  /** The packages of these plugins, `NAME@VERSION HASH`, to name the one that changed. */
  readonly packages?: readonly string[];
};

/** The settings file that names plugins, from which their paths and packages are found. */
export type PluginsFrom = {
  /** The absolute path of its folder. */
  readonly folder: string;
  /** The packages that plugins may import. */
  readonly packages: readonly string[] | 'any';
};

/**
 * Absolute caps of the egress guard, from a separate file. No limit of the bot's file can exceed
 * them. Orders of a pair without caps are not sent.
 */
export type EgressCaps = {
  /** The path as it was given, for messages. */
  readonly file: string;
  readonly ordersPerMinuteMax: number;
  /** For one order: volume in the base currency, price × volume in the counter currency. */
  readonly pairs: Readonly<
    Record<string, { readonly volumeMax: string; readonly valueMax: string }>
  >;
  /** SHA-256 of the file's bytes. */
  readonly hash: string;
};

/** The paper account. Always present in paper mode. */
export type PaperSettings = {
  /** Balances at the first start, by currency. */
  readonly balances: Readonly<Record<string, string>>;
  /** Fractions as decimal strings; the fees of the key's account unless given. */
  readonly fees?: FeeRates;
  readonly latencies: {
    /** Latency of the market stream, in microseconds. */
    readonly feedUs: number;
    /** From the bot to the exchange, and back. */
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
   * The start of every client_order_id of this bot: 8 characters of a-z and 2-7. Unless given, it
   * is the start of the SHA-256 of the bot's name in base 32, the same at every start.
   */
  readonly namespace: string;
  /** Account ids by currency. May be empty in demo mode, which reads them by the balance call. */
  readonly accounts: Readonly<Record<string, string>>;
  /** The fingerprint of the only key that may trade. Always present in live mode. */
  readonly liveKeyFingerprint?: string;
  /** Always present in live mode. */
  readonly approved?: ApprovedVersions;
  readonly strategies: readonly StrategySettings[];
  /** Absent in journals of older versions, whose plugins are shipped ones. */
  readonly pluginsFrom?: PluginsFrom;
  readonly limits: Limits;
  /** The feeds that its strategies see; none if absent. */
  readonly feeds?: readonly FeedRule[];
  /** Defaults apply unless given. */
  readonly keep?: KeepSettings;
  readonly paper?: PaperSettings;
  /** Path of the egress caps. Always present in live mode. */
  readonly egress?: string;
  /** SHA-256 of the file's bytes, stored with every run. */
  readonly hash: string;
};

/** Where a bot serves its page. */
export type DashboardSettings = {
  /** Undefined takes a usual port, or a free one if that is taken. */
  readonly port: number | undefined;
  readonly listen: string;
  /** Values of the Host header that are allowed besides names of this machine. */
  readonly hosts: readonly string[];
};

/** How much of the received market streams a bot keeps; 0 days keeps nothing. */
export type CaptureSettings = { readonly days: number; readonly bytesMax: number };

/** The addresses of an exchange, and the paths that the documents do not give. */
export type VenueSettings = {
  readonly name: string;
  readonly baseUrl: string;
  readonly streamUrl: string;
  /** Path by operation name, only for operations whose path the documents do not give. */
  readonly paths: Readonly<Record<string, string>>;
  readonly userStreamPath: string;
};
