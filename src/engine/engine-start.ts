/**
 * Everything that a run starts from, as plain data: stored in the journal's header, from which a
 * replay builds the same engine.
 */
import type { BotSettings } from '../domain/bot-settings.ts';
import type { Market } from '../domain/market.ts';
import type { Candle } from '../domain/market-view.ts';
import type { Restored } from '../domain/records.ts';
import type { Environment } from '../risk/gate-facts.ts';
import type { VenueProperties } from '../venue/venue-properties.ts';

export type MarketStart = {
  readonly market: Market;
  /** Fees of this account: fractions as decimal strings. */
  readonly makerFee: string;
  readonly takerFee: string;
  /** The ticker's last trade, which seeds the median of trades; undefined if there was none. */
  readonly lastTrade: { readonly price: string; readonly atMs: number } | undefined;
};

/** The candles before the run that a strategy's `warmUp` requests for one pair. */
export type CandleHistory = {
  readonly strategyId: string;
  readonly pair: string;
  /** Oldest first; fewer than requested if there are no more. */
  readonly candles: readonly Candle[];
};

/** The exchange has, or may have, orders or fills of ours that the store does not know. */
export type LostState = {
  /** Why the run starts halted. */
  readonly found: string;
  /** What the operator can do about it. */
  readonly remedies: string;
  /** True if nothing was found but not everything could be searched: a person may resume. */
  readonly mayResume: boolean;
};

export type EngineStart = {
  readonly settings: BotSettings;
  readonly environment: Environment;
  readonly markets: readonly MarketStart[];
  /** Those that strategies only watch; absent in journals of older versions. */
  readonly watched?: readonly MarketStart[];
  readonly restored: Restored;
  readonly lost?: LostState;
  /** Identity of the store; empty by default, as in backtests. */
  readonly identity?: string;
  /** One for each strategy and pair that requested candles. */
  readonly history?: readonly CandleHistory[];
  /** Whether the store says that a commit survives a power cut. */
  readonly storeDurable: boolean;
  /** Whether this process alone has the store open. */
  readonly lockHeld: boolean;
  readonly seed: number;
  readonly startedMicros: number;
  /**
   * When calls were sent within the last minute, in milliseconds of our clock: by earlier runs,
   * which the exchange still counts after a restart, and by this start.
   */
  readonly earlierCallsMs?: readonly number[];
  /** Ids of strategies that are done and begin their task again, without the state they kept. */
  readonly again?: readonly string[];
  /** True for a run that only reads, to complete the store: no strategy runs, no order changes. */
  readonly observes?: boolean;
  /** False if nobody reads notices about quotes, orders, fills and idling: none are created. */
  readonly reportsInfo?: boolean;
  /** Whether to report and store when and why a strategy stops trading; not in backtests. */
  readonly watchesTrading?: boolean;
  /**
   * `results` if the run is never restored: no records are created of approvals, orders, attempts,
   * fills, the evidence of changes and why strategies are idle. See {@link RunResults} for what its
   * result needs of them.
   */
  readonly records?: 'all' | 'results';
  /** Whether the exchange ends with the run, so that plain numbers suffice as order ids. */
  readonly numbersOrderIds?: boolean;
  /** True in a backtest whose market stream is more than a second late. */
  readonly delaysMessages?: boolean;
  /** What the venue can and cannot do, with the rules of its profile. */
  readonly venue: VenueProperties;
};

/** Returns `start` without the rows that are needed only once, so that they can be freed. */
export function withoutRows(start: EngineStart): EngineStart {
  const noRows = {
    orders: [],
    fills: [],
    usedKeys: [],
    earlierTraded: [],
    unproven: [],
    looseRows: [],
    foreignTrades: [],
  };
  return { ...start, restored: { ...start.restored, ...noRows } };
}
