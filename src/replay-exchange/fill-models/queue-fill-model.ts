/**
 * The fill model of exact queues: recorded order flow with our orders in its real queues.
 *
 * History's book is kept exactly as recorded; our resting orders stand beside it. One is filled
 * only when history proves that it would have been:
 *
 *   - a trade at our price takes a maker that came after us, so we were first;
 *   - a trade at a worse price went through ours;
 *   - a created order has a price that meets ours.
 *
 * The volume of such a row is shared among our orders by price, then time, and never given twice.
 * An order of ours that crosses on arrival takes the resting orders in their queue order; what it
 * took stays taken as long as the order of history lives, or for a stated time. History goes on as
 * if we were not there: `counts` says how often that is a fiction. An order of ours never meets
 * another of ours: what is left of the incoming one is cancelled at that price.
 *
 * Without latencies: a request takes effect between two rows. The volume ahead of an order is
 * history's, also where we took part of it, which can only make us wait longer.
 *
 * Invariants: history's book does not depend on our orders; in first-in-first-out data
 * `volumeAhead` is 0 at every maker fill.
 */
import { type MarketStatus, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { meetsBook } from '../../exchange-accounts/order-crossing.ts';
import { Book } from '../../market/book/book.ts';
import { loadResting } from '../../market/book/flow-columns-book.ts';
import { IdentifiedBook } from '../../market/book/identified-book.ts';
import { loadSnapshot } from '../../market/book/order-flow-book.ts';
import { type RestingBlock, rowKind, statuses, unprovenGap } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { FlowSnapshot, OrderCreated, OrderFlowRow } from '../../market/flow/order-flow-row.ts';
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

type Timed = { readonly atMicros: number };

type Created = Pick<OrderCreated, 'side' | 'price' | 'volume' | 'atMicros'>;

export class QueueFillModel implements FillModel {
  readonly counts: ReplayCounts;
  /** What becomes of our places in the queue when history could not be followed for a while. */
  readonly gaps: GapPlaces;
  /** The market's, as history reported it last: who may trade, and whether at all. */
  status: MarketStatus = 'ACTIVE';
  /** History's book, without our orders; for questions only. */
  readonly book: Book<OwnOrder>;
  readonly #own: OwnOrders;
  readonly #history: IdentifiedBook;
  /** What history's orders are taken out of: with their ids, or by slot alone. */
  #resting: Pick<Book, 'remove' | 'reduce'>;
  readonly #consumed: ConsumedVolume;

  constructor(options: FillModelOptions) {
    this.book = new Book(options.book);
    this.#own = new OwnOrders(
      options,
      (request, atMicros) => this.#own.meetsOwn(request) || this.#available(request, atMicros) > 0,
      this.book,
    );
    this.counts = this.#own.counts;
    this.#history = new IdentifiedBook(this.book);
    this.#resting = this.#history;
    this.gaps = new GapPlaces(this.book);
    this.#consumed = new ConsumedVolume(this.book, options.consumedMicros ?? Infinity);
  }

  /** Our resting orders, oldest first. */
  get openOrders(): readonly OwnOrder[] {
    return this.#own.resting;
  }

  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.bestPrice(side);
  }

  /** Returns what stands before a resting order of ours at its price. */
  aheadOf(order: OwnOrder): Lots | undefined {
    return order.isResting ? order.ahead : undefined;
  }

  /** Returns the slot of history's order, or 0. */
  slotOf(historyId: string): number {
    return this.#history.slotOf(historyId);
  }

  /**
   * Puts history's resting orders in place; once, before the first row. Throws {@link BookError}.
   */
  start(snapshot: FlowSnapshot): void {
    loadSnapshot(this.#history, snapshot);
  }

  /** As {@link start}, for history in columns; its rows then come to {@link applyFlow}. */
  startFlow(resting: RestingBlock): void {
    this.#resting = this.book;
    this.status = statuses[resting.status] ?? 'UNKNOWN';
    loadResting(this.book, resting);
  }

  /** Applies one row of history and fills what it proves. */
  apply(row: OrderFlowRow): void {
    this.counts.rows++;
    if (row.kind === 'create') {
      const isNew = this.#history.slotOf(row.id) === 0;
      const slot = isNew ? this.#history.create(row.id, row.side, row.price, row.volume) : 0;
      this.#noteCreated(slot, row);
    } else if (row.kind === 'delete') this.#applyDelete(this.#history.slotOf(row.id));
    else if (row.kind === 'resize') this.#applyResize(this.#history.slotOf(row.id), row.volume);
    else this.#applyTrade(this.#history.slotOf(row.makerId), row.volume, row);
  }

  /** As {@link apply}, with the row that the cursor is at. */
  applyFlow(row: FlowCursor): void {
    this.counts.rows++;
    const { kind, slot } = row;
    if (kind === created) this.#applyCreate(slot, row);
    else if (kind === deleted) this.#applyDelete(slot);
    else if (kind === traded) this.#applyTrade(slot, row.volume, row);
    else this.#applyRare(row);
  }

  #applyRare({ kind, slot, volume, atMicros }: FlowCursor): void {
    if (kind === resized) this.#applyResize(slot, volume);
    else if (kind === rowKind.gap) this.gaps.begin(slot === unprovenGap ? -Infinity : atMicros);
    else if (kind === rowKind.status) {
      this.status = statuses[slot] ?? 'UNKNOWN';
      // After a gap the book is known again from here.
      this.gaps.end();
    }
  }

  /** Takes an order; the listener hears whether it was accepted and what became of it at once. */
  place(request: ModelRequest, atMicros: number): void {
    const order = this.#own.accept(request, atMicros);
    if (order === undefined) return;
    const isKilled = order.timeInForce === 'FOK' && this.#available(order, atMicros) < order.volume;
    if (!isKilled) this.#take(order, atMicros);
    this.#own.settle(order, atMicros);
  }

  /** Cancels a resting order; the listener hears that it is complete, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void {
    this.#own.cancel(order, atMicros);
  }

  #applyCreate(slot: number, row: FlowCursor): void {
    const { isAsk, price } = row;
    if (slot !== 0) this.book.createAt(slot, isAsk ? 'ASK' : 'BID', price, row.volume);
    const own = isAsk ? this.#own.bids : this.#own.asks;
    if (slot === 0 || own.reaches(price)) this.#noteFlow(slot, row);
  }

  #noteFlow(slot: number, { isAsk, price, volume, atMicros }: FlowCursor): void {
    this.#noteCreated(slot, { side: isAsk ? 'ASK' : 'BID', price, volume, atMicros });
  }

  /** An order of history was created in `slot`, or in none if its id was there already. */
  #noteCreated(slot: number, row: Created): void {
    if (slot === 0) {
      this.counts.impossibleRows++;
      return;
    }
    const { price, volume, atMicros } = row;
    const order = { price, arrival: Infinity, volume, atMicros };
    const filled = this.#own.fillBefore(opposite(row.side), order);
    if (filled === 0) return;
    this.#consumed.take(slot, filled, atMicros);
    this.counts.displacedOrders++;
  }

  #applyDelete(slot: number): void {
    if (slot === 0) {
      this.counts.unknownOrders++;
      return;
    }
    this.#resting.remove(slot);
  }

  #applyResize(slot: number, volume: Lots): void {
    if (slot === 0) {
      this.counts.unknownOrders++;
      return;
    }
    const before = this.book.volumeOf(slot);
    if (volume > before) this.counts.impossibleRows++;
    if (volume < before) this.#resting.reduce(slot, subtractLots(before, volume));
  }

  #applyTrade(slot: number, traded: Lots, row: Timed): void {
    this.#own.countTrade();
    if (slot === 0) {
      this.counts.unknownOrders++;
      return;
    }
    const { book } = this;
    const resting = book.volumeOf(slot);
    const volume = traded < resting ? traded : resting;
    if (volume < traded) this.counts.impossibleRows++;
    const level = book.levelOf(slot);
    const side = book.isAskLevel(level) ? 'ASK' : 'BID';
    const price = book.priceOfLevel(level);
    const arrival = book.arrivalOf(slot);
    this.#resting.reduce(slot, volume);
    if (this.#own.of(side).bestBefore(price, arrival) === undefined) return;
    const maker = { price, arrival, volume: traded, atMicros: row.atMicros };
    this.#own.fillBefore(side, maker);
    this.counts.displacedTrades++;
  }

  /**
   * Returns what an order could take at once, up to its volume and up to our own resting orders.
   */
  #available(order: Pick<OwnOrder, 'side' | 'price' | 'volume'>, atMicros: number): Lots {
    if (!meetsBook(order, this.book)) return noLots;
    let volume: Lots = noLots;
    for (const slot of reachableOrders(this.book, order)) {
      volume = addLots(volume, this.#consumed.availableAt(slot, atMicros));
      if (volume >= order.volume) return order.volume;
    }
    return volume;
  }

  /** Takes what the order meets, until it is filled or another of our orders stops it. */
  #take(order: OwnOrder, atMicros: number): void {
    if (!meetsBook(order, this.book)) return;
    for (const slot of reachableOrders(this.book, order)) {
      const available = this.#consumed.availableAt(slot, atMicros);
      const volume = minLots(order.remaining, available);
      if (volume === 0) continue;
      if (this.#consumed.take(slot, volume, atMicros)) this.counts.takenOrders++;
      this.#own.fill(order, volume, this.book.priceOf(slot), false, atMicros);
      if (order.remaining === 0) return;
    }
  }
}
