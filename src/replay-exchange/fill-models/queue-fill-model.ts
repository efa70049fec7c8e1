/**
 * The queue fill model: recorded order flow with our orders at their places in the real queues.
 *
 * History's book is kept exactly as recorded, our resting orders beside it. A resting order is
 * filled only when history proves that it would have been:
 *
 *   - a trade at its price has a maker that arrived later;
 *   - a trade happens at a worse price, through its own;
 *   - an order is created at a price that crosses its own.
 *
 * The volume of such a row is shared among our orders by price, then time, and never given twice.
 * An order of ours that crosses the book on arrival takes the resting orders in queue order; the
 * volume that it took stays taken as long as the historical order lives, or for a given time.
 * History continues as if we were not there: `counts` says how often that contradicts our orders.
 * Our orders never trade with each other: the rest of the incoming one is cancelled at that price.
 *
 * There is no latency here: a request takes effect between two rows. The volume ahead of an order
 * is history's, including volume that we took, which can only make us wait longer.
 *
 * Invariants: history's book does not depend on our orders; in first-in-first-out data
 * `volumeAhead` is 0 at every maker fill.
 */
import { type MarketStatus, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import { Book } from '../../market/book/book.ts';
import { loadResting, restingOf } from '../../market/book/flow-columns-book.ts';
import { type RestingBlock, rowKind, statuses, unprovenGap } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { TimeSpans } from '../../market/flow/time-spans.ts';
import { ConsumedVolume } from './consumed-volume.ts';
import { reachableOrders } from './crossing.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillModel } from './fill-model.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import { GapPlaces } from './gap-places.ts';
import type { OwnOrder } from './own-order.ts';
import { OwnOrders } from './own-orders.ts';
import type { ReplayCounts } from './replay-counts.ts';

const { create: created, delete: deleted, trade: traded, resize: resized } = rowKind;

export class QueueFillModel implements FillModel {
  readonly counts: ReplayCounts;
  /** Our queue places across gaps in history. */
  readonly gaps: GapPlaces;
  /** The market's status as last reported by history. */
  status: MarketStatus = 'ACTIVE';
  /** History's book, without our orders; for reading only. */
  readonly book: Book;
  readonly #own: OwnOrders;
  readonly #consumed: ConsumedVolume;
  readonly #enter = (order: OwnOrder, atMicros: number): void => {
    const isKilled = order.timeInForce === 'FOK' && this.#available(order, atMicros) < order.volume;
    if (!isKilled) this.#take(order, atMicros);
    this.#own.settle(order, atMicros);
  };

  constructor(options: FillModelOptions) {
    this.book = new Book(options.book);
    this.#own = new OwnOrders(
      options,
      (request, atMicros) => this.#own.meetsOwn(request) || this.#available(request, atMicros) > 0,
      this.book,
    );
    this.counts = this.#own.counts;
    this.gaps = new GapPlaces(this.#own);
    this.#consumed = new ConsumedVolume(this.book, options.consumedMicros ?? Infinity);
  }

  get unwatched(): TimeSpans {
    return this.gaps.times;
  }

  get orders(): Book {
    return this.book;
  }

  /** Our resting orders, oldest first. */
  get openOrders(): readonly OwnOrder[] {
    return this.#own.resting;
  }

  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.bestPrice(side);
  }

  /** Returns the volume ahead of one of our resting orders at its price. */
  aheadOf(order: OwnOrder): Lots | undefined {
    return order.isResting ? this.#own.aheadOf(order) : undefined;
  }

  /** Returns the resting orders of history. */
  resting(): RestingBlock {
    return restingOf(this.book, 0);
  }

  start(resting: RestingBlock): void {
    this.status = statuses[resting.status] ?? 'UNKNOWN';
    loadResting(this.book, resting);
  }

  apply(row: FlowCursor): void {
    this.counts.rows++;
    const { kind, slot } = row;
    if (slot === 0 || kind > traded) this.#applyRare(row);
    else if (kind === created) {
      const { isAsk, price } = row;
      this.book.createAt(slot, isAsk ? 'ASK' : 'BID', price, row.volume);
      const { bids, asks } = this.#own;
      if (isAsk ? price <= bids.bestPrice : price >= asks.bestPrice) {
        this.#noteCreated(row);
        this.#runStops(row.atMicros);
      }
    } else if (kind === deleted) this.book.remove(slot);
    else {
      this.#applyTrade(row);
      this.#runStops(row.atMicros);
    }
  }

  /** Applies a row without an order, or of a kind that is rare. */
  #applyRare(row: FlowCursor): void {
    const { kind, slot, atMicros } = row;
    if (kind === created) this.counts.impossibleRows++;
    else if (kind === traded) {
      this.#own.countTrades();
      this.counts.unknownOrders++;
    } else if (kind === deleted || (kind === resized && slot === 0)) this.counts.unknownOrders++;
    else if (kind === resized) this.#applyResize(row);
    else if (kind === rowKind.gap) this.gaps.begin(atMicros, slot !== unprovenGap);
    else if (kind === rowKind.status) {
      this.status = statuses[slot] ?? 'UNKNOWN';
      // After a gap, the book is complete again from here.
      this.gaps.end(atMicros);
    }
  }

  /** Takes an order request. The listener receives its acceptance or rejection, fills and end. */
  place(request: ModelRequest, atMicros: number): void {
    const order = this.#own.accept(request, atMicros);
    if (order !== undefined) this.#enter(order, atMicros);
    this.#runStops(atMicros);
  }

  #runStops(atMicros: number): void {
    if (this.#own.stops.isDue) this.#own.runStops(this.#enter, atMicros);
  }

  /** Cancels a pending order. The listener receives its end, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void {
    this.#own.cancel(order, atMicros);
  }

  /** An order of history was created whose price meets the best of ours. */
  #noteCreated({ slot, isAsk, price, volume, atMicros }: FlowCursor): void {
    const order = { price, arrival: Infinity, volume, atMicros };
    const filled = this.#own.fillBefore(isAsk ? 'BID' : 'ASK', order);
    if (filled === 0) return;
    this.#consumed.take(slot, filled, atMicros);
    this.counts.displacedOrders++;
  }

  #applyResize({ slot, volume }: FlowCursor): void {
    const before = this.book.volumeOf(slot);
    if (volume > before) this.counts.impossibleRows++;
    if (volume < before) this.book.reduce(slot, subtractLots(before, volume));
  }

  /** An order of history was the maker of a trade. */
  #applyTrade({ slot, volume, atMicros }: FlowCursor): void {
    this.#own.countTrades();
    const { book } = this;
    const level = book.levelOf(slot);
    const isAsk = book.isAskLevel(level);
    const price = book.priceOfLevel(level);
    const arrival = book.arrivalOf(slot);
    this.#own.stops.noteTrade(price);
    if (volume <= book.volumeOf(slot)) book.reduce(slot, volume);
    else {
      this.counts.impossibleRows++;
      book.remove(slot);
    }
    // Usually the best of ours is worse than that price.
    const { bids, asks } = this.#own;
    if (isAsk ? price < asks.bestPrice : price > bids.bestPrice) return;
    const side = isAsk ? 'ASK' : 'BID';
    if (this.#own.of(side).bestBefore(price, arrival) === undefined) return;
    const maker = { price, arrival, volume, atMicros };
    this.#own.fillBefore(side, maker);
    this.counts.displacedTrades++;
  }

  /**
   * Returns the volume that an order could take immediately, at most its own volume, and only at
   * prices better than our own resting orders.
   */
  #available(order: Pick<OwnOrder, 'side' | 'price' | 'volume'>, atMicros: number): Lots {
    if (!meetsBook(order, this.book)) return noLots;
    let volume: Lots = noLots;
    for (const slot of reachableOrders(this.book, this.#own.of(opposite(order.side)), order)) {
      volume = addLots(volume, this.#consumed.availableAt(slot, atMicros));
      if (volume >= order.volume) return order.volume;
    }
    return volume;
  }

  /** Takes orders that it crosses, until it is filled or reaches another order of ours. */
  #take(order: OwnOrder, atMicros: number): void {
    if (!meetsBook(order, this.book)) return;
    for (const slot of reachableOrders(this.book, this.#own.of(opposite(order.side)), order)) {
      const available = this.#consumed.availableAt(slot, atMicros);
      const price = this.book.priceOf(slot);
      const volume = minLots(order.wantedAt(price), available);
      if (volume === 0) continue;
      if (this.#consumed.take(slot, volume, atMicros)) this.counts.takenOrders++;
      this.#own.fill(order, volume, price, false, atMicros);
      if (order.remaining === 0) return;
    }
  }
}
