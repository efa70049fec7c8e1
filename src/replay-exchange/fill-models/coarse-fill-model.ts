/**
 * The fill model for recordings of trades or candles, except the rule that decides what fills. Its
 * history is synthetic order flow: trades without orders, and a synthetic bid and ask in slots 1
 * and 2. Queues, gaps and the market's status are unknown.
 */
import { InvariantError } from '../../domain/errors.ts';
import type { MarketStatus, Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import { Book } from '../../market/book/book.ts';
import { applyFlow, loadResting } from '../../market/book/flow-columns-book.ts';
import { type RestingBlock, rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillIntervals, FillModel } from './fill-model.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import { GapPlaces } from './gap-places.ts';
import type { OwnOrder } from './own-order.ts';
import { OwnOrders } from './own-orders.ts';
import type { ReplayCounts } from './replay-counts.ts';

/** Decides which of our orders fill. */
export interface FillRule {
  /** Present in a rule that answers some requests at the end of an interval of history. */
  readonly intervals?: FillIntervals;
  /** Fills what the row at the cursor proves; the book has already applied it. */
  apply(row: FlowCursor): void;
  /** Returns whether a request would trade with an order of ours. */
  meetsOwn(request: ModelRequest): boolean;
  /** Fills an accepted order, rests it, or cancels it. */
  enter(order: OwnOrder, atMicros: number): void;
  /** Cancels a pending order. The listener receives its end, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void;
}

/** What a rule works on: our orders, and the book with the synthetic bid and ask, read-only. */
export type RuledMarket = { readonly own: OwnOrders; readonly book: Book };

export class CoarseFillModel implements FillModel {
  readonly book = new Book<OwnOrder>();
  status: MarketStatus = 'ACTIVE';
  readonly gaps = new GapPlaces(this.book);
  readonly counts: ReplayCounts;
  readonly intervals: FillIntervals | undefined;
  readonly #own: OwnOrders;
  readonly #rule: FillRule;

  constructor(options: FillModelOptions, createRule: (market: RuledMarket) => FillRule) {
    this.#own = new OwnOrders(
      options,
      (request) => this.#rule.meetsOwn(request) || meetsBook(request, this.book),
    );
    this.counts = this.#own.counts;
    this.#rule = createRule({ own: this.#own, book: this.book });
    this.intervals = this.#rule.intervals;
  }

  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.bestPrice(side);
  }

  /** Always undefined: the data contain no queue. */
  aheadOf(): undefined {
    return undefined;
  }

  startFlow(resting: RestingBlock): void {
    loadResting(this.book, resting);
  }

  start(): never {
    return refuseOrders();
  }

  apply(): never {
    return refuseOrders();
  }

  applyFlow(row: FlowCursor): void {
    this.counts.rows++;
    if (row.kind === rowKind.trade) this.#own.countTrade();
    else applyFlow(this.book, row);
    this.#rule.apply(row);
  }

  place(request: ModelRequest, atMicros: number): void {
    const order = this.#own.accept(request, atMicros);
    if (order !== undefined) this.#rule.enter(order, atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    this.#rule.cancel(order, atMicros);
  }
}

/** Throws: only the queue fill model takes rows with order ids. */
function refuseOrders(): never {
  throw new InvariantError('a fill model for trades or candles takes no rows with order ids');
}
