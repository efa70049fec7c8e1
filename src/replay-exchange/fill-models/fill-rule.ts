/** Decides, row by row of coarse data, which of our orders fill; see {@link CoarseFillModel}. */
import type { Book } from '../../market/book/book.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillIntervals } from './fill-model.ts';
import type { OwnOrder } from './own-order.ts';
import type { OwnOrders } from './own-orders.ts';

export interface FillRule {
  /** Only of a rule that answers some requests when an interval of history has ended. */
  readonly intervals?: FillIntervals;
  /** Fills what the row that the cursor is at proves; the book has it already. */
  apply(row: FlowCursor): void;
  /** Returns whether a request would trade with another order of ours. */
  meetsOwn(request: ModelRequest): boolean;
  /** Decides what becomes of an order that was accepted. */
  enter(order: OwnOrder, atMicros: number): void;
  /** Cancels a pending order; the listener hears when that is done, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void;
}

/** What a rule decides about. */
export type RuledMarket = {
  readonly own: OwnOrders;
  /** The made-up bid and ask; for questions only. */
  readonly book: Book;
};
