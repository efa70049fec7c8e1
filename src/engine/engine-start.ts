/**
 * Everything that a run starts from, as plain data: the journal's header keeps it, and a replay
 * builds the same engine from it.
 */
import type { BotSettings } from '../domain/bot-settings.ts';
import type { Market } from '../domain/market.ts';
import type { Candle } from '../domain/market-view.ts';
import type { Restored } from '../domain/records.ts';
import type { CallLimit } from '../domain/scenario-settings.ts';
import type { Environment } from '../risk/gate-facts.ts';

export type MarketStart = {
  readonly market: Market;
  /** Fractions as decimal strings, of this account. */
  readonly makerFee: string;
  readonly takerFee: string;
  /** The ticker's last trade, which seeds the median of trades; undefined if there was none. */
  readonly lastTrade: { readonly price: string; readonly atMs: number } | undefined;
};

/** What was traded before the run, as a strategy's `warmUp` asked for it on one pair. */
export type CandleHistory = {
  readonly strategyId: string;
  readonly pair: string;
  /** Oldest first; fewer than asked for where there were no more. */
  readonly candles: readonly Candle[];
};

/** The exchange has orders or fills of ours that the store does not know, or may have. */
export type LostState = {
  /** The run begins halted, for this reason. */
  readonly found: string;
  /** What a person may do about it. */
  readonly waysOut: string;
  /** Nothing was found, but not everything was looked at: a person may resume. */
  readonly mayResume: boolean;
};

export type EngineStart = {
  readonly settings: BotSettings;
  readonly environment: Environment;
  readonly markets: readonly MarketStart[];
  readonly restored: Restored;
  readonly lost?: LostState;
  /** Of the store; empty unless given, as in backtests. */
  readonly identity?: string;
  /** Of each strategy and pair that asked for one. */
  readonly history?: readonly CandleHistory[];
  /** The store said that a commit survives a power cut. */
  readonly storeDurable: boolean;
  /** This process alone has the store. */
  readonly lockHeld: boolean;
  readonly seed: number;
  readonly startedMicros: number;
  /**
   * When calls left within the last minute, by our clock, in milliseconds: those of earlier runs,
   * which the exchange counts on over a restart, and those of this start.
   */
  readonly earlierCallsMs?: readonly number[];
  /** Only reads, to complete what the store has: no strategy runs, no resting order is touched. */
  readonly observes?: boolean;
  /** False where nobody hears what is told of each quote, order and fill; it is not worded then. */
  readonly reportsInfo?: boolean;
  /** Whether it is said and stored when a strategy stops trading, and why; not in backtests. */
  readonly watchesTrading?: boolean;
  /**
   * `results` where nothing is restored from the records: only those are made that a result is
   * worked out from. An order is recorded when it is new and when it is final, an approval and what
   * proved a change not at all.
   */
  readonly records?: 'all' | 'results';
  /** Whether the exchange ends with the run, so that orders need no more than a number. */
  readonly numbersOrderIds?: boolean;
  /** `unlimited` where a scenario says that the exchange does not limit calls; else its limit. */
  readonly callLimit?: CallLimit;
  /**
   * Given in a backtest in which every call is answered after this time: there, regular reads are
   * left out while they can find nothing.
   */
  readonly roundTripMicros?: number;
  /** Off in a backtest: the tape's answers are the evidence. */
  readonly reconcile: boolean;
};

/** Returns `start` without the rows that are read once: they would stay for the whole run. */
export function withoutRows(start: EngineStart): EngineStart {
  const none = {
    orders: [],
    fills: [],
    usedKeys: [],
    unproven: [],
    looseRows: [],
    foreignTrades: [],
  };
  return { ...start, restored: { ...start.restored, ...none } };
}
