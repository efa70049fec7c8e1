/**
 * Recorded order flow by id, as its reader yields it.
 *
 * Times are in microseconds since the epoch, by the recorded exchange's clock, and never go back.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';

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
