/**
 * The contract of fill models, which decide our fills in one market: the exact queue over
 * order-by-order history, and the models of trades and of bars, which decide against us where the
 * data are silent.
 *
 * History applies the rows, a model decides, and {@link OwnOrders} fills, rests and ends orders and
 * reports that. A model never changes history.
 */
import type { Lots } from '../../domain/money.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { OwnOrder } from './own-order.ts';

export interface FillModel {
  /** Present in a model that answers some requests at the end of an interval of history. */
  readonly intervals?: FillIntervals;
  /**
   * Fills what the row at the cursor proves. Called when history has applied it: for each trade and
   * each bar, but of order-by-order history only for what reaches the best price of our orders.
   */
  row(row: FlowCursor): void;
  /** Returns whether an order would trade at once; a post-only order is then refused. */
  wouldTrade(order: ArrivingTerms, atMicros: number): boolean;
  /** Fills an accepted order, rests it, or ends it. */
  place(order: OwnOrder, atMicros: number): void;
  /** Cancels an order, at once or at the end of its interval, or reports that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void;
  /** Returns the volume ahead of a resting order at its price; undefined if the data lack it. */
  aheadOf(order: OwnOrder): Lots | undefined;
}

export type ArrivingTerms = Pick<OwnOrder, 'side' | 'price' | 'volume'>;

/** Requests that wait for the end of the interval in which they arrived. */
export interface FillIntervals {
  /** The end of the interval for which a request waits; Infinity if none waits. */
  readonly dueMicros: number;
  /** Ends an interval in which history had no rows. */
  pass(atMicros: number): void;
  /** Ends history; no request waits afterwards. */
  end(atMicros: number): void;
}
