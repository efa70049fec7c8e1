/**
 * The part of the engine that the procedures of execution may use: time, outputs, and reports of
 * changes. The engine implements it; nothing here does I/O.
 */
import type { Amount } from '../../domain/amount.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Notice } from '../../domain/notice.ts';
import type { OrderState } from '../../domain/order.ts';
import type { StoreRecord, TradingState } from '../../domain/records.ts';
import type { Exposure } from '../../risk/exposure.ts';
import type { Proof } from '../orders/proof.ts';
import type { RunResults } from '../orders/run-results.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { Procedure } from './procedure.ts';
import type { TaskRunner } from './task.ts';

export interface ExecutionContext {
  /** Our clock, in milliseconds since the epoch; it does not go back. */
  readonly nowMs: number;
  readonly exchangeClock: ExchangeClock;
  readonly exposure: Exposure;
  /** False in a run that is never restored, which omits the records that no result needs. */
  readonly keepsAllRecords: boolean;
  /** Runs what waits for replies, times and signals. */
  readonly tasks: TaskRunner;
  /** Takes the results of a backtest; undefined in other runs. */
  readonly results: RunResults | undefined;
  spawn(procedure: Procedure): void;
  record(record: StoreRecord): void;
  notice(notice: Notice): void;
  /** Stores and announces an anomaly. */
  incident(code: string, text: string): void;
  /** Changes and stores the trading state of a scope: `bot`, `pair:<pair>` or `strategy:<id>`. */
  setTradingState(scope: string, state: TradingState, reason: string): void;
  /** Returns the codes that forbid sending an order by now; its exposure is still reserved. */
  resendRefusals(order: TrackedOrder): readonly string[];
  /** Whether the order would trade at once, as far as the book shows it. */
  wouldTrade(order: TrackedOrder): boolean;
  /** Closes a pair whose orders the exchange refuses; the gate refuses them until it reopens. */
  closeMarket(pair: string, reason: string): void;
  /**
   * `before` is the state before the change, undefined for a new order; `proof` what proves the new
   * state, undefined if only its cancel was requested.
   */
  orderChanged(order: TrackedOrder, before: OrderState | undefined, proof?: Proof): void;
  /** A stop-limit order has become its limit order. */
  orderTriggered(order: TrackedOrder): void;
  orderFilled(order: TrackedOrder, fill: OwnFill): void;
  /** The exchange refused to cancel an order that may be open; `why` has its code and text. */
  cancelRefused(order: TrackedOrder, why: string): void;
}

/** A fill as reported to its strategy; `booked` once the list of trades has it. */
export type OwnFill = {
  readonly price: Ticks;
  readonly volume: Lots;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
  readonly maker: boolean;
  /** The exchange's time of the trade; of a reported one, when the report came. */
  readonly atMs: number;
  /** The number of the trade on its pair; empty until it is booked. */
  readonly sequence: string;
  readonly booked: boolean;
  /** False if a stream has already reported it. */
  readonly isFirstReport: boolean;
};
