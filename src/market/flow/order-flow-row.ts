/**
 * Recorded order flow by id: what the recording reader yields and the replay exchange applies.
 *
 * Times are microseconds since the epoch, the recorded exchange's clock, and do not go back.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';

/** A resting order, in a list that says of which side. */
export type FlowOrder = { readonly id: string; readonly price: Ticks; readonly volume: Lots };

/** The orders that rest when the rows begin, in queue order within each price. */
export type FlowSnapshot = {
  readonly bids: readonly FlowOrder[];
  readonly asks: readonly FlowOrder[];
};

type RowPlace = {
  /** The row's number in its recording. */
  readonly sequence: number;
  readonly atMicros: number;
  /**
   * False if the next row belongs to the same action, so that the book between them never existed.
   */
  readonly endsMessage: boolean;
};

export type OrderCreated = RowPlace & {
  readonly kind: 'create';
  readonly id: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type OrderDeleted = RowPlace & { readonly kind: 'delete'; readonly id: string };

/**
 * An order that keeps its place in the queue and has, from now on, a volume no greater than before.
 */
export type OrderResized = RowPlace & {
  readonly kind: 'resize';
  readonly id: string;
  readonly volume: Lots;
};

/** A trade takes `volume` off the maker's order; at 0 the order is gone without a delete. */
export type OrderTraded = RowPlace & {
  readonly kind: 'trade';
  readonly makerId: string;
  readonly takerId: string | undefined;
  readonly makerSide: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type OrderFlowRow = OrderCreated | OrderDeleted | OrderResized | OrderTraded;
