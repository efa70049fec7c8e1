/**
 * The settings of one backtest, as checked and frozen by `settings/`: a recording, the market it
 * is of, what trading costs, and the bot that trades.
 */
import type { Limits, StrategySettings } from './bot-settings.ts';
import type { Market } from './market.ts';

/** A recording in the data folder. Paths are relative to the set's folder and stay inside it. */
export type ScenarioData = {
  /** Folder of the set below the data folder. */
  readonly set: string;
  readonly kind: 'order-flow-ndjson';
  readonly snapshot: string;
  readonly events: string;
};

export type FeeRates = { readonly maker: string; readonly taker: string };

/** How long something is on its way, in microseconds; drawn with the scenario's seed. */
export type Latency =
  | { readonly kind: 'fixed'; readonly us: number }
  /** Each value of the range is equally likely. */
  | { readonly kind: 'between'; readonly fromUs: number; readonly toUs: number }
  /** Each of the measurements is equally likely. */
  | { readonly kind: 'measured'; readonly samplesUs: readonly number[] };

export type ScenarioSettings = {
  readonly scenario: string;
  readonly data: ScenarioData;
  readonly market: Market;
  /** Fractions as decimal strings; the maker's may be negative, a rebate. */
  readonly fees: FeeRates;
  /** The rates of later dates, in order of time. */
  readonly feesLater: readonly (FeeRates & { readonly fromMs: number })[];
  /** How long what our orders took stays taken; undefined: as long as the order lives. */
  readonly consumedMs: number | undefined;
  /** Exchange to us; us to the exchange; the exchange's answer to us. */
  readonly latencies: {
    readonly feed: Latency;
    readonly request: Latency;
    readonly answer: Latency;
  };
  /** What the account has at the start, per currency. */
  readonly balances: Readonly<Record<string, string>>;
  /** First and last moment of the recording to use, UTC; undefined is its own beginning or end. */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly seed: number;
  /** The bot's name and namespace, for ids. */
  readonly bot: string;
  readonly namespace: string;
  readonly strategies: readonly StrategySettings[];
  readonly limits: Limits;
  /** SHA-256 of the scenario's bytes and, if it names one, of the bot file's. */
  readonly hash: string;
};
