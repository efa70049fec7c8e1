/**
 * The interface of fill models, which decide our fills: the queue fill model over order-by-order
 * history, and the models over coarse data, which decide against us where the data are silent.
 */
import type { MarketStatus, Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Book } from '../../market/book/book.ts';
import type { BookView } from '../../market/book/book-view.ts';
import type { RestingBlock } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { TimeSpans } from '../../market/flow/time-spans.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import type { GapPlaces } from './gap-places.ts';
import type { OwnOrder } from './own-order.ts';
import type { ReplayCounts } from './replay-counts.ts';

export interface FillModel {
  readonly counts: ReplayCounts;
  readonly gaps: GapPlaces;
  /** The times that nobody recorded; those of coarse data are known before they are played. */
  readonly unwatched: TimeSpans;
  /** The market's book without our orders. */
  readonly book: BookView;
  /** The same with its orders; undefined if history has no orders. */
  readonly orders?: Book | undefined;
  /** The market's status as last reported by history. */
  status: MarketStatus;
  /** Present in a model that answers some requests at the end of an interval of history. */
  readonly intervals?: FillIntervals | undefined;
  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined;
  /** Returns the volume ahead of a resting order of ours at its price; undefined if unknown. */
  aheadOf(order: OwnOrder): Lots | undefined;
  /** Returns history's resting orders. */
  resting(): RestingBlock;
  /** Loads history's resting orders and its status; at most once, before the first row. */
  start(resting: RestingBlock): void;
  /** Applies the row of history at the cursor and fills the orders that it proves filled. */
  apply(row: FlowCursor): void;
  /** Takes an order request. The listener receives its acceptance or rejection, fills and end. */
  place(request: ModelRequest, atMicros: number): void;
  /** Cancels a pending order. The listener receives its end, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void;
}

/** Requests that wait for the end of the interval in which they arrived. */
export interface FillIntervals {
  /** The end of the interval for which a request waits; Infinity if none waits. */
  readonly dueMicros: number;
  /** Ends an interval in which history had no rows. */
  pass(atMicros: number): void;
  /** Ends history; no request waits afterwards. */
  end(atMicros: number): void;
}

export type CreateFillModel = (options: FillModelOptions) => FillModel;
