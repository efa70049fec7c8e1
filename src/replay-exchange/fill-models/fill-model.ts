/**
 * What the replay exchange needs of whatever decides our fills: the model of exact queues over
 * order by order history, and the models of coarse data, which know less and decide against us.
 */
import type { MarketStatus, Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Book } from '../../market/book/book.ts';
import type { RestingBlock } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { FlowSnapshot, OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import type { GapPlaces } from './gap-places.ts';
import type { OwnOrder } from './own-order.ts';
import type { ReplayCounts } from './replay-counts.ts';

export interface FillModel {
  readonly counts: ReplayCounts;
  readonly gaps: GapPlaces;
  /** The market without our orders; for questions only. */
  readonly book: Book;
  /** The market's, as history reported it last: who may trade, and whether at all. */
  status: MarketStatus;
  /** Only of a model that answers some requests when an interval of history has ended. */
  readonly intervals?: FillIntervals | undefined;
  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined;
  /** Returns what stands before a resting order of ours at its price; undefined: not known. */
  aheadOf(order: OwnOrder): Lots | undefined;
  /** Puts history's resting orders in place; once, before the first row. */
  start(snapshot: FlowSnapshot): void;
  /** As {@link start}, for history in columns. */
  startFlow(resting: RestingBlock): void;
  /** Applies one row of history and fills what it proves. */
  apply(row: OrderFlowRow): void;
  /** As {@link apply}, with the row of history in columns that the cursor is at. */
  applyFlow(row: FlowCursor): void;
  /** Takes an order; the listener hears whether it was accepted and what became of it. */
  place(request: ModelRequest, atMicros: number): void;
  /** Cancels a pending order; the listener hears when that is done, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void;
}

/** Requests that wait for the end of the interval in which they came. */
export interface FillIntervals {
  /** When the interval ends that something waits for; Infinity if nothing waits. */
  readonly dueMicros: number;
  /** The interval has ended, and history had nothing in it. */
  pass(atMicros: number): void;
  /** History is over: nothing waits any more. */
  end(atMicros: number): void;
}

export type CreateFillModel = (options: FillModelOptions) => FillModel;
