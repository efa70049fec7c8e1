/**
 * The settings of one backtest, as checked and frozen by `settings/`: recordings, the markets they
 * are of, what trading costs, and the bot that trades.
 */
import type { Limits, StrategySettings } from './bot-settings.ts';
import type { GivenRules } from './market-rules.ts';
import type { FeeRates, Latency } from './trading-conditions.ts';

/** What a scenario plays. Paths of a set are relative to its folder and stay inside it. */
export type ScenarioData =
  | {
      readonly kind: 'order-flow-ndjson';
      /** Folder of the set below the data folder. */
      readonly set: string;
      readonly snapshot: string;
      readonly events: string;
    }
  | {
      readonly kind: 'recording';
      /** Folder of the set below the data folder; without it the file lies beside the scenario. */
      readonly set: string | undefined;
      /** Of one market; several follow each other. */
      readonly recordings: readonly string[];
    };

/** The assumptions by which fills over trades or candles are decided. */
export type FillModelSettings = {
  /** From the last price to the made-up best price of each side, in the counter currency. */
  readonly halfSpread: string;
  /** What orders of ours get of the volume at most. */
  readonly volumeShareMillionths: number;
  /** Of candles: how long each is. */
  readonly intervalMs: number | undefined;
};

export type ScenarioMarket = {
  readonly pair: string;
  readonly data: ScenarioData;
  /** What the file says of the market; the rest is as the recording has it. */
  readonly rules: GivenRules;
  /** Fractions as decimal strings; the maker's may be negative, a rebate. */
  readonly fees: FeeRates;
  /** The rates of later dates, in order of time. */
  readonly feesLater: readonly (FeeRates & { readonly fromMs: number })[];
  /** Needed for recordings of trades or candles, and for no others. */
  readonly fillModel: FillModelSettings | undefined;
};

/** `exchange`: its calls a minute, with the share that the executor keeps for cancels and reads. */
export type CallLimit = 'exchange' | 'unlimited';

export type ScenarioSettings = {
  readonly scenario: string;
  /** In the order of their pairs, whatever the file's. */
  readonly markets: readonly ScenarioMarket[];
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
  /**
   * First and last moment of the recordings to use, UTC; undefined is their own beginning or end,
   * of several what they have in common.
   */
  readonly fromMs: number | undefined;
  readonly toMs: number | undefined;
  readonly seed: number;
  /** Whether the exchange's limit of calls a minute holds. */
  readonly callLimit: CallLimit;
  /** The bot's name and namespace, for ids. */
  readonly bot: string;
  readonly namespace: string;
  readonly strategies: readonly StrategySettings[];
  readonly limits: Limits;
  /** The absolute path of the scenario's folder. */
  readonly folder: string;
  /** The hash that the run must have; undefined if it may have any. */
  readonly expectedHash: string | undefined;
  /** SHA-256 of the scenario's bytes and, if it names one, of the bot file's. */
  readonly hash: string;
};
