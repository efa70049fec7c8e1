/**
 * Order-by-order history of a market: the book exactly as recorded, without our orders, and its
 * status and gaps. Contradictions in the data are counted.
 *
 * Invariant: nothing here depends on our orders, except what the fill model is told.
 */
import type { MarketStatus } from '../../domain/market.ts';
import { subtractLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import { Book, type BookOptions } from '../../market/book/book.ts';
import { loadResting, restingOf } from '../../market/book/flow-columns-book.ts';
import { type RestingBlock, rowKind, statuses, unprovenGap } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { TimeSpans } from '../../market/flow/time-spans.ts';
import type { FillModel } from './fill-model.ts';
import { GapPlaces } from './gap-places.ts';
import type { OwnOrders } from './own-orders.ts';

const { create: created, delete: deleted, trade: traded, resize: resized } = rowKind;

export class OrderHistory {
  readonly kind = 'orders';
  /** For reading only. */
  readonly book: Book;
  /** Our queue places across gaps in history. */
  readonly gaps: GapPlaces;
  /** The market's status as last reported by history. */
  status: MarketStatus = 'ACTIVE';
  /** The resting order of the trade that is being applied; it may have left the book already. */
  readonly maker = { isAsk: false, price: ticksOf(0), arrival: 0.5 };
  readonly #own: OwnOrders;

  /** `options`: sizes of the book, for a history of few orders. */
  constructor(own: OwnOrders, options?: BookOptions) {
    this.book = new Book(options);
    this.gaps = new GapPlaces(own, this.book);
    this.#own = own;
  }

  /** The times that nobody recorded. */
  get unwatched(): TimeSpans {
    return this.gaps.times;
  }

  /** Returns the resting orders of history. */
  resting(): RestingBlock {
    return restingOf(this.book, 0);
  }

  /** Loads history's resting orders and its status; at most once, before the first row. */
  start(resting: RestingBlock): void {
    this.status = statuses[resting.status] ?? 'UNKNOWN';
    loadResting(this.book, resting);
  }

  /** Applies the row at the cursor, and tells the model if it may concern our orders. */
  apply(row: FlowCursor, model: FillModel): void {
    const { kind, slot } = row;
    if (slot === 0 || kind > traded) this.#applyRare(row);
    else if (kind === created) {
      const { isAsk, price } = row;
      this.book.createAt(slot, isAsk ? 'ASK' : 'BID', price, row.volume);
      const { bids, asks } = this.#own;
      if (isAsk ? price <= bids.bestPrice : price >= asks.bestPrice) model.row(row);
    } else if (kind === deleted) this.book.remove(slot);
    else this.#applyTrade(row, model);
  }

  /** Applies a row without an order, or of a kind that is rare. */
  #applyRare(row: FlowCursor): void {
    const { kind, slot, atMicros } = row;
    const { counts } = this.#own;
    if (kind === created) counts.impossibleRows++;
    else if (kind === traded) {
      this.#own.countTrades();
      counts.unknownOrders++;
    } else if (kind === deleted || (kind === resized && slot === 0)) counts.unknownOrders++;
    else if (kind === resized) this.#applyResize(row);
    else if (kind === rowKind.gap) this.gaps.begin(atMicros, slot !== unprovenGap);
    else if (kind === rowKind.status) {
      this.status = statuses[slot] ?? 'UNKNOWN';
      // After a gap, the book is complete again from here.
      this.gaps.end(atMicros);
    }
  }

  #applyResize({ slot, volume }: FlowCursor): void {
    const before = this.book.volumeOf(slot);
    if (volume > before) this.#own.counts.impossibleRows++;
    if (volume < before) this.book.reduce(slot, subtractLots(before, volume));
  }

  #applyTrade(row: FlowCursor, model: FillModel): void {
    const own = this.#own;
    own.countTrades();
    const { book, maker } = this;
    const { slot, volume } = row;
    const level = book.levelOf(slot);
    const isAsk = book.isAskLevel(level);
    const price = book.priceOfLevel(level);
    const arrival = book.arrivalOf(slot);
    own.stops.noteTrade(price);
    if (volume <= book.volumeOf(slot)) book.reduce(slot, volume);
    else {
      own.counts.impossibleRows++;
      book.remove(slot);
    }
    // Usually the best of ours is worse than that price.
    if (isAsk ? price < own.asks.bestPrice : price > own.bids.bestPrice) return;
    maker.isAsk = isAsk;
    maker.price = price;
    maker.arrival = arrival;
    model.row(row);
  }
}
