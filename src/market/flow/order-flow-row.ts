/**
 * Recorded order flow by id: what the recording reader yields and the replay exchange applies.
 *
 * Times are in microseconds since the epoch, by the recorded exchange's clock, and never go back.
 */
import { assert } from '../../domain/errors.ts';
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';

/** A resting order; the list that holds it has the side. */
export type FlowOrder = { readonly id: string; readonly price: Ticks; readonly volume: Lots };

/** The orders that rest before the first row, in queue order within each price. */
export type FlowSnapshot = {
  readonly bids: readonly FlowOrder[];
  readonly asks: readonly FlowOrder[];
};

export type RowBase = {
  /** The row's number in its recording. */
  readonly sequence: number;
  readonly atMicros: number;
  /**
   * False if the next row belongs to the same message: the book between the two never existed.
   */
  readonly endsMessage: boolean;
};

export type OrderCreated = RowBase & {
  readonly kind: 'create';
  readonly id: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type OrderDeleted = RowBase & { readonly kind: 'delete'; readonly id: string };

/**
 * An order gets a new volume. It keeps its place in the queue, unless the volume grows or the price
 * changes: then it goes to the back of the queue at its price, as if deleted and created again.
 */
export type OrderResized = RowBase & {
  readonly kind: 'resize';
  readonly id: string;
  readonly volume: Lots;
  /** The price from now on; undefined if it stays. */
  readonly price?: Ticks | undefined;
};

/** A trade reduces the maker's order by `volume`; at 0 the order leaves without a delete. */
export type OrderTraded = RowBase & {
  readonly kind: 'trade';
  readonly makerId: string;
  readonly takerId: string | undefined;
  readonly makerSide: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type OrderFlowRow = OrderCreated | OrderDeleted | OrderResized | OrderTraded;

/** Returns the time of a message, in whole milliseconds: that of the last of its rows. */
export function messageTimeMs(rows: readonly OrderFlowRow[]): number {
  const last = rows.at(-1);
  assert(last !== undefined, 'a message must have rows');
  return Math.floor(last.atMicros / 1000);
}
