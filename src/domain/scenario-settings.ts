/**
 * The settings of one backtest, as checked and frozen by `settings/`: markets and their recordings,
 * fees, latencies and the bot.
 */
import type { PluginsFrom, StrategySettings } from './bot-settings.ts';
import type { Limits } from './declared-limits.ts';
import type { ExchangeProfile } from './exchange-profile.ts';
import type { FeedRule } from './feed.ts';
import type { GivenRules } from './market-rules.ts';
import type { FeeRates, Latency } from './trading-conditions.ts';

/** The data of a market. Paths in a set are relative to its folder and stay inside it. */
export type ScenarioData =
  | {
      readonly kind: 'order-flow-ndjson';
      /** The set's folder, inside the data folder. */
      readonly set: string;
      readonly snapshot: string;
      readonly events: string;
    }
  | {
      readonly kind: 'recording';
      /** The set's folder, inside the data folder; undefined for paths relative to the scenario. */
      readonly set: string | undefined;
      /** Recordings of one market, each continuing the one before. */
      readonly recordings: readonly string[];
    };

/** Assumptions for fills over a recording of trades or candles, which has no order book. */
export type FillModelSettings = {
  /** Distance of the assumed best prices from the last price, in the counter currency. */
  readonly halfSpread: string;
  /** The largest share of the traded volume that our orders get. */
  readonly volumeShareMillionths: number;
  /** Length of a candle; undefined for trades. */
  readonly intervalMs: number | undefined;
};

export type ScenarioMarket = {
  readonly pair: string;
  readonly data: ScenarioData;
  /** The rules that the scenario gives; the others are taken from the recording. */
  readonly rules: GivenRules;
  /** Fractions as decimal strings; a negative maker fee is a rebate. */
  readonly fees: FeeRates;
  /** Rates from later dates, in order of time. */
  readonly feesLater: readonly (FeeRates & { readonly fromMs: number })[];
  /** Required for recordings of trades or candles, and not allowed for others. */
  readonly fillModel: FillModelSettings | undefined;
};

/** A feed and the file that has its values; without a file, the recordings have them. */
export type ScenarioFeed = FeedRule & {
  readonly file: string | undefined;
  /** The names of its numbers, where a bot's file says them. */
  readonly fields?: readonly string[];
};

export type ScenarioSettings = {
  readonly scenario: string;
  /** Sorted by pair. */
  readonly markets: readonly ScenarioMarket[];
  /**
   * How long volume that our orders took is missing from the recorded book; undefined for as long
   * as the recorded order exists.
   */
  readonly consumedMs: number | undefined;
  /** Latency of the market stream, of requests and of answers. */
  readonly latencies: {
    readonly feed: Latency;
    readonly request: Latency;
    readonly answer: Latency;
  };
  /** The account's first balances, by currency. */
  readonly balances: Readonly<Record<string, string>>;
  /**
   * The part of the recordings to use; undefined for their start or end. Several markets use the
   * time that they have in common.
   */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly seed: number;
  /** The rules of the exchange at which it trades. */
  readonly profile: ExchangeProfile;
  /** The bot's name and namespace, for ids. */
  readonly bot: string;
  readonly namespace: string;
  readonly strategies: readonly StrategySettings[];
  readonly pluginsFrom?: PluginsFrom;
  readonly limits: Limits;
  /** The feeds that its strategies see; none if absent. */
  readonly feeds?: readonly ScenarioFeed[];
  /** The absolute path of the scenario's folder. */
  readonly folder: string;
  /** The hash that the run must have; undefined accepts any. */
  readonly expectedHash: string | undefined;
  /** SHA-256 of the scenario's bytes and of the bot file's, if it names one. */
  readonly hash: string;
};
