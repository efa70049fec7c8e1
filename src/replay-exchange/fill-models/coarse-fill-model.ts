/**
 * The fill model for recordings of trades or candles, except the rule that decides what fills. Its
 * book is synthetic: a bid and an ask around the last price. Queues, gaps and the market's status
 * are unknown.
 */
import { InvariantError } from '../../domain/errors.ts';
import type { MarketStatus, Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import type { BookView } from '../../market/book/book-view.ts';
import { QuotedBook } from '../../market/book/quoted-book.ts';
import { BarTrades } from '../../market/flow/bar-trades.ts';
import { rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { TimeSpans } from '../../market/flow/time-spans.ts';
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
  /** Fills what the trade or bar at the cursor proves. */
  apply(row: FlowCursor): void;
  /** Returns whether a request would trade with an order of ours. */
  meetsOwn(request: ModelRequest): boolean;
  /** Fills an accepted order, rests it, or cancels it. */
  enter(order: OwnOrder, atMicros: number): void;
  /** Cancels a pending order. The listener receives its end, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void;
}

/** What a rule works on: our orders, and the book with the synthetic bid and ask. */
export type RuledMarket = { readonly own: OwnOrders; readonly book: BookView };

// Constants of this module are compiled into the code; imported constants are looked up each time.
const { candle: candleKind } = rowKind;

export class CoarseFillModel implements FillModel {
  readonly book: QuotedBook;
  status: MarketStatus = 'ACTIVE';
  /** No gap ever begins. */
  readonly gaps: GapPlaces;
  readonly counts: ReplayCounts;
  readonly unwatched: TimeSpans;
  readonly intervals: FillIntervals | undefined;
  readonly #own: OwnOrders;
  readonly #rule: FillRule;
  readonly #bar = new BarTrades();
  readonly #enter = (order: OwnOrder, atMicros: number): void => this.#rule.enter(order, atMicros);

  constructor(
    options: FillModelOptions,
    halfSpread: Ticks,
    createRule: (market: RuledMarket) => FillRule,
    unwatched = new TimeSpans(),
  ) {
    this.unwatched = unwatched;
    this.book = new QuotedBook(halfSpread);
    this.#own = new OwnOrders(
      options,
      (request) => this.#rule.meetsOwn(request) || meetsBook(request, this.book),
    );
    this.counts = this.#own.counts;
    this.gaps = new GapPlaces(this.#own);
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

  resting(): never {
    return refuseOrders();
  }

  /** Does nothing: the book is empty until the first trade or bar. */
  start(): void {}

  apply(row: FlowCursor): void {
    this.counts.rows++;
    const isBar = row.kind === candleKind;
    const bar = this.#bar;
    if (isBar) bar.read(row, undefined);
    this.#own.countTrades(isBar ? bar.count : 1);
    this.#rule.apply(row);
    const { stops } = this.#own;
    if (isBar) {
      this.book.move(bar.close, bar.volume);
      stops.noteBar(bar);
    } else {
      this.book.move(row.price, row.volume);
      stops.noteTrade(row.price);
    }
    this.#runStops(row.atMicros);
    if (isBar) stops.endBar(row.atMicros);
  }

  place(request: ModelRequest, atMicros: number): void {
    const order = this.#own.accept(request, atMicros);
    if (order !== undefined) this.#rule.enter(order, atMicros);
    this.#runStops(atMicros);
  }

  #runStops(atMicros: number): void {
    if (this.#own.stops.isDue) this.#own.runStops(this.#enter, atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    this.#rule.cancel(order, atMicros);
  }
}

/** Throws: only the queue fill model takes orders of history. */
function refuseOrders(): never {
  throw new InvariantError('a fill model for trades or candles takes no orders of history');
}
