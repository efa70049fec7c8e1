/**
 * What the procedures of execution may use of the engine: its time, its outputs, and those who must
 * hear of changes. The engine implements it; nothing here does I/O.
 */
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Notice } from '../../domain/notice.ts';
import type { OrderState } from '../../domain/order.ts';
import type { FillRow, StoreRecord, TradingState } from '../../domain/records.ts';
import type { Exposure } from '../../risk/exposure.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import type { ExchangeClock } from './exchange-clock.ts';
import type { Procedure } from './procedure.ts';

export interface ExecutionContext {
  /** Our clock, in milliseconds since the epoch; it does not go back. */
  readonly nowMs: number;
  readonly exchangeClock: ExchangeClock;
  readonly exposure: Exposure;
  /** False where nothing is restored from the records: those that no result needs are left out. */
  readonly keepsAllRecords: boolean;
  spawn(procedure: Procedure): void;
  /** Counts calls in the budget that were not made as they would find nothing, in milliseconds. */
  noteUnmade(timesMs: readonly number[]): void;
  record(record: StoreRecord): void;
  notice(notice: Notice): void;
  /** Stores and announces an anomaly. */
  incident(code: string, text: string): void;
  /** Changes the trading state of a scope (`bot`, `pair:<pair>`, `strategy:<id>`), to be kept. */
  setTradingState(scope: string, state: TradingState, reason: string): void;
  /** Codes against sending an order again whose room in the limits is held; none: it may. */
  refusalsAgain(order: TrackedOrder): readonly string[];
  /** The exchange takes no order of this pair; the gate lets none pass until it does again. */
  closeMarket(pair: string, reason: string): void;
  /** `before` is its state before the change; undefined for an order that is new. */
  orderChanged(order: TrackedOrder, before: OrderState | undefined): void;
  orderFilled(order: TrackedOrder, fill: OwnFill): void;
}

/** A fill as the strategy hears of it; `booked` once the list of trades has it. */
export type OwnFill = Pick<FillRow, 'feeBase' | 'feeCounter' | 'maker'> & {
  readonly price: Ticks;
  readonly volume: Lots;
  readonly booked: boolean;
  /** False when a stream has told of it already. */
  readonly isNews: boolean;
};
