/**
 * What can be asked of a store beside `restore`: for `status`, reports, explanations and provers.
 */

import type { OrderState } from '../domain/order.ts';
import type {
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

/** One life of a bot process. */
export type RunRow = {
  readonly runId: number;
  readonly startedMs: number;
  readonly configHash: string;
  readonly codeHash: string;
  readonly nodeVersion: string;
  readonly sqliteVersion: string;
  /** Of the last commit of this run; 0 if there was none. */
  readonly commitNumber: number;
  /** False if the run still goes on, or ended without closing its store. */
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

export interface StoreReports {
  /** Number of orders in each state that has any. */
  orderCounts(): Readonly<Partial<Record<OrderState, number>>>;
  /** Orders that are not final, oldest first. */
  openOrders(): readonly OrderRow[];
  /** Every order, oldest first. */
  orders(): readonly OrderRow[];
  /** The newest orders, at most so many, oldest first. */
  recentOrders(countMax: number): readonly OrderRow[];
  /** When each strategy made its newest order on each pair. */
  lastPlaced(): readonly {
    readonly strategyId: string;
    readonly pair: string;
    readonly atMs: number;
  }[];
  /** The newest orders that are quotes, at most so many, oldest first. */
  recentQuotes(countMax: number): readonly OrderRow[];
  /** The order of that reference; the newest if the exchange gave an order id twice. */
  findOrder(reference: OrderReference): OrderRow | undefined;
  historyOf(intentId: number): OrderHistory | undefined;
  fillCount(): number;
  /** Fills traded at `sinceMs` or later, oldest first; all if it is not given. */
  fills(sinceMs?: number): readonly FillRow[];
  /** The newest fills of a pair by their sequence, at most so many, oldest first. */
  recentFills(pair: string, countMax: number): readonly FillRow[];
  /** Exact sums per strategy, pair and side. */
  fillTotals(): readonly FillTotals[];
  /** Newest first. */
  incidents(countMax: number): readonly Incident[];
  incidentCounts(): readonly { readonly code: string; readonly count: number }[];
  /** Every row, by account and number. */
  ledger(): readonly LedgerRow[];
  /** The rows that a trade made, by account and number. */
  ledgerOfTrade(trade: { readonly pair: string; readonly sequence: string }): readonly LedgerRow[];
  /** The newest row of each account. */
  ledgerLatest(): readonly LedgerRow[];
  /**
   * Exact sum, per account, of the ledger rows that are not of a trade, or not of one of `pairs` if
   * they are given: deposits and the like.
   */
  otherFlows(
    pairs?: readonly string[],
  ): readonly { readonly accountId: string; readonly sum: string }[];
  /** The newest reason per strategy and pair. */
  idleReasons(): readonly IdleReason[];
  /** What keeps strategies from trading, as stored last, by strategy and pair. */
  tradingBlocks(): readonly TradingBlock[];
  /** How often each check refused since `sinceMs`, most often first. */
  refusalCounts(sinceMs: number): readonly {
    readonly strategyId: string;
    readonly code: string;
    readonly count: number;
    readonly lastMs: number;
  }[];
  /** What the gate refused since `sinceMs`, newest first. */
  refused(sinceMs: number, countMax: number): readonly Decision[];
  /** Incidents from `fromMs` until before `toMs`, oldest first. */
  incidentsBetween(fromMs: number, toMs: number): readonly Incident[];
  /** States that scopes entered from `fromMs` until before `toMs`, oldest first. */
  tradingStatesBetween(fromMs: number, toMs: number): readonly EnteredState[];
  /** What the gate decided from `fromMs` until before `toMs`, oldest first. */
  decisionsBetween(fromMs: number, toMs: number): Iterable<Decision>;
  /** The version of the limits with this hash, as JSON; undefined if it was never in force. */
  limitsVersion(hash: string): string | undefined;
  /** The newest state per scope. */
  tradingStates(): readonly EnteredState[];
  /** Newest first. */
  runs(countMax: number): readonly RunRow[];
}
