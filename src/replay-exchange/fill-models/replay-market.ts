/**
 * One market of the replay exchange without the account: its history, our orders, and the fill
 * model that decides what fills.
 *
 * There is no latency here: a request takes effect between two rows.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { BookOptions } from '../../market/book/book.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillIntervals, FillModel } from './fill-model.ts';
import { OrderHistory } from './order-history.ts';
import type { OwnOrder } from './own-order.ts';
import { OwnOrders, type OwnOrdersOptions } from './own-orders.ts';
import { QueueFillModel } from './queue-fill-model.ts';
import { QuoteHistory, type QuoteHistoryOptions } from './quote-history.ts';
import type { ReplayCounts } from './replay-counts.ts';

/** The kind of a market's history, and what decides fills over it. */
export type ReplayData =
  | {
      readonly kind: 'orders';
      /** How long volume that we took stays taken; by default as long as the order that had it. */
      readonly consumedMicros?: number | undefined;
      /** Sizes of history's book, for a history of few orders. */
      readonly book?: BookOptions;
    }
  | (QuoteHistoryOptions & {
      readonly createModel: (own: OwnOrders, history: QuoteHistory) => FillModel;
    });

export type ReplayMarketOptions = OwnOrdersOptions & { readonly data: ReplayData };

export class ReplayMarket {
  readonly history: OrderHistory | QuoteHistory;
  readonly counts: ReplayCounts;
  readonly #own: OwnOrders;
  readonly #model: FillModel;
  readonly #enter = (order: OwnOrder, atMicros: number): void => this.#model.place(order, atMicros);

  constructor({ data, ...options }: ReplayMarketOptions) {
    this.#own = new OwnOrders(options, {
      wouldTrade: (order, atMicros) => this.#model.wouldTrade(order, atMicros),
      aheadOf: (order) => this.#model.aheadOf(order),
    });
    this.counts = this.#own.counts;
    if (data.kind === 'orders') {
      const history = new OrderHistory(this.#own, data.book);
      this.history = history;
      this.#model = new QueueFillModel(this.#own, history, data.consumedMicros);
    } else {
      const history = new QuoteHistory(this.#own, data);
      this.history = history;
      this.#model = data.createModel(this.#own, history);
    }
  }

  /** Our resting orders, oldest first. */
  get openOrders(): readonly OwnOrder[] {
    return this.#own.resting;
  }

  /** Present if some requests are answered at the end of an interval of history. */
  get intervals(): FillIntervals | undefined {
    return this.#model.intervals;
  }

  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.bestPrice(side);
  }

  /** Returns the volume ahead of one of our orders at its price; undefined if it is not known. */
  aheadOf(order: OwnOrder): Lots | undefined {
    return order.isResting ? this.#model.aheadOf(order) : undefined;
  }

  /** Applies the row of history at the cursor, and fills the orders that it proves filled. */
  apply(row: FlowCursor): void {
    this.counts.rows++;
    this.history.apply(row, this.#model);
    const { stops } = this.#own;
    if (stops.isDue) this.#runStops(row.atMicros);
    if (this.history.kind === 'bars') stops.endBar(row.atMicros);
  }

  /** Takes an order request. The listener receives its acceptance or rejection, fills and end. */
  place(request: ModelRequest, atMicros: number): void {
    const order = this.#own.accept(request, atMicros);
    if (order !== undefined) this.#model.place(order, atMicros);
    if (this.#own.stops.isDue) this.#runStops(atMicros);
  }

  /** Cancels a pending order. The listener receives its end, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void {
    this.#model.cancel(order, atMicros);
  }

  #runStops(atMicros: number): void {
    this.#own.runStops(this.#enter, atMicros);
  }
}
