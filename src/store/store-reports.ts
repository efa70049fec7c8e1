/**
 * The read-only queries of a store, for `status`, reports, explanations and provers.
 */

import type { DoneStrategy } from '../domain/done-strategy.ts';
import type { OrderState } from '../domain/order.ts';
import type {
  FillMids,
  FillRow,
  FillTotals,
  Incident,
  LedgerRow,
  OrderRow,
  Witness,
} from '../domain/records.ts';
import type { TradingBlock } from '../domain/trading-block.ts';
import type { RecordOf } from './row-codecs.ts';

export type OrderReference =
  | { readonly intentId: number }
  | { readonly clientOrderId: string }
  | { readonly orderId: string };

/** Orders of one strategy that have the same level or key. */
export type OrdersCalled = {
  readonly strategyId: string;
  readonly count: number;
  /** The intent of the newest. */
  readonly newest: number;
};

/** One life of a bot process. */
export type RunRow = {
  readonly runId: number;
  readonly startedMs: number;
  readonly configHash: string;
  readonly codeHash: string;
  readonly nodeVersion: string;
  readonly sqliteVersion: string;
  /** The number of the last commit of this run; 0 if there was no commit. */
  readonly commitNumber: number;
  /** False if the run is still active, or ended without closing its store. */
  readonly closed: boolean;
};

/** Everything known about one order, each list in the order of writing. */
export type OrderHistory = {
  readonly order: OrderRow;
  readonly decisions: readonly Omit<RecordOf<'decision'>, 'kind'>[];
  readonly evidence: readonly Omit<RecordOf<'evidence'>, 'kind'>[];
  readonly attempts: readonly Omit<RecordOf<'attempt'>, 'kind'>[];
  readonly outcomes: readonly Omit<RecordOf<'outcome'>, 'kind'>[];
  readonly fills: readonly (FillRow & { readonly witnesses: readonly Witness[] })[];
};

export type IdleReason = Omit<RecordOf<'idle'>, 'kind'>;
export type EnteredState = Omit<RecordOf<'trading-state'>, 'kind'>;
export type Decision = Omit<RecordOf<'decision'>, 'kind'>;

export type MarketSample = Omit<RecordOf<'market-sample'>, 'kind'>;
export type FillWithMids = FillRow & Omit<FillMids, keyof FillRow>;
export type StoredCommand = Omit<RecordOf<'operator-command'>, 'kind'> & { readonly id: number };

export interface StoreReports {
  /** Number of orders by state; states without orders are missing. */
  orderCounts(): Readonly<Partial<Record<OrderState, number>>>;
  /** Orders that are not final, oldest first. */
  openOrders(): readonly OrderRow[];
  /** Every order, oldest first. */
  orders(): readonly OrderRow[];
  /** The newest `countMax` orders, oldest first. */
  recentOrders(countMax: number): readonly OrderRow[];
  /** When each strategy created its newest order on each pair. */
  lastPlaced(): readonly {
    readonly strategyId: string;
    readonly pair: string;
    readonly atMs: number;
  }[];
  /** The newest `countMax` orders that are quotes, oldest first. */
  recentQuotes(countMax: number): readonly OrderRow[];
  /**
   * The orders with that level or key, the strategy with the newest of them first: how many each
   * strategy has, and the intent of its newest.
   */
  ordersCalled(name: string): readonly OrdersCalled[];
  /** The order with that reference; the newest one if the exchange used an order id twice. */
  findOrder(reference: OrderReference): OrderRow | undefined;
  historyOf(intentId: number): OrderHistory | undefined;
  fillCount(): number;
  /** Fills traded at `sinceMs` or later, oldest first; all fills if it is not given. */
  fills(sinceMs?: number): readonly FillRow[];
  /** The newest `countMax` fills of a pair by sequence, oldest first. */
  recentFills(pair: string, countMax: number): readonly FillRow[];
  /** Exact sums per strategy, pair and side. */
  fillTotals(): readonly FillTotals[];
  /** Newest first. */
  incidents(countMax: number): readonly Incident[];
  incidentCounts(): readonly { readonly code: string; readonly count: number }[];
  /** All rows, by account and number. */
  ledger(): readonly LedgerRow[];
  /** The rows of a trade, by account and number. */
  ledgerOfTrade(trade: { readonly pair: string; readonly sequence: string }): readonly LedgerRow[];
  /** The newest row of each account. */
  ledgerLatest(): readonly LedgerRow[];
  /**
   * Exact sum, per account, of the ledger rows without a trade (deposits and the like) and, if
   * `pairs` are given, of the rows of trades on other pairs.
   */
  otherFlows(
    pairs?: readonly string[],
  ): readonly { readonly accountId: string; readonly sum: string }[];
  /** The newest reason per strategy and pair. */
  idleReasons(): readonly IdleReason[];
  /** The strategies that have finished their task, by id. */
  doneStrategies(): readonly DoneStrategy[];
  /** The stored reasons why strategies do not trade, by strategy and pair. */
  tradingBlocks(): readonly TradingBlock[];
  /** Number of refusals of each check since `sinceMs`, the highest number first. */
  refusalCounts(sinceMs: number): readonly {
    readonly strategyId: string;
    readonly code: string;
    readonly count: number;
    readonly lastMs: number;
  }[];
  /** The refusals of the gate since `sinceMs`, newest first. */
  refused(sinceMs: number, countMax: number): readonly Decision[];
  /** Incidents in [`fromMs`, `toMs`), oldest first. */
  incidentsBetween(fromMs: number, toMs: number): readonly Incident[];
  /** States that scopes entered in [`fromMs`, `toMs`), oldest first. */
  tradingStatesBetween(fromMs: number, toMs: number): readonly EnteredState[];
  /** Decisions of the gate in [`fromMs`, `toMs`), oldest first. */
  decisionsBetween(fromMs: number, toMs: number): Iterable<Decision>;
  /** Prices in [`fromMs`, `toMs`), oldest first; none in a database that is not upgraded yet. */
  marketSamples(pair: string, fromMs: number, toMs: number): Iterable<MarketSample>;
  /** Fills in [`fromMs`, `toMs`) with the mids around them, as far as known; oldest first. */
  fillsWithMids(pair: string, fromMs: number, toMs: number): Iterable<FillWithMids>;
  /** Of each strategy and pair: the number of fills with a known mid, and their exact spread. */
  fillSpreads(): readonly {
    readonly strategyId: string;
    readonly pair: string;
    readonly fills: number;
    readonly spread: string;
  }[];
  /** The newest `countMax` of those with an id below `beforeId`, newest first. */
  operatorCommands(countMax: number, beforeId?: number): readonly StoredCommand[];
  /** The limits with this hash, as JSON; undefined if they were never in force. */
  limitsVersion(hash: string): string | undefined;
  /** The newest state per scope. */
  tradingStates(): readonly EnteredState[];
  /** Newest first. */
  runs(countMax: number): readonly RunRow[];
}
