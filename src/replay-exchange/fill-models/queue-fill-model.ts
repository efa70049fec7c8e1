/**
 * The tape exchange: recorded order flow with our orders in its real queues.
 *
 * History's book is kept exactly as recorded; our resting orders stand beside it. One is filled
 * only when the tape proves that it would have been:
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
import type { TimeInForce } from '../../domain/bot-settings.ts';
import { type MarketStatus, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { Book } from '../../market/book/book.ts';
import { loadResting } from '../../market/book/flow-columns-book.ts';
import { IdentifiedBook } from '../../market/book/identified-book.ts';
import { type RestingBlock, rowKind, statuses, unprovenGap } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { OrderCreated, OrderFlowRow } from '../../market/flow/order-flow-row.ts';
import { ConsumedVolume } from './consumed-volume.ts';
import { meetsBook, reachableOrders } from './crossing.ts';
import type { CompletionReason, ModelRequest } from './fill-event.ts';
import type { FillModel } from './fill-model.ts';
import type { FillModelOptions, FillModelStart } from './fill-model-options.ts';
import { GapPlaces } from './gap-places.ts';
import type { OwnOrder, OwnQueue } from './own-order.ts';
import { OwnOrders } from './own-orders.ts';
import type { ReplayCounts } from './replay-counts.ts';

const { create: created, delete: deleted, trade: traded, resize: resized } = rowKind;

type Timed = { readonly atMicros: number };

type Created = Pick<OrderCreated, 'side' | 'price' | 'volume' | 'atMicros'>;

export class QueueFillModel implements FillModel {
  readonly counts: ReplayCounts;
  /** What becomes of our places in the queue when history could not be followed for a while. */
  readonly gaps: GapPlaces;
  /** The market's, as history told it last: who may trade, and whether at all. */
  status: MarketStatus = 'ACTIVE';
  /** History's book, without our orders; for questions only. */
  readonly book: Book;
  readonly #own: OwnOrders;
  readonly #history: IdentifiedBook;
  /** What history's orders are taken out of: with their ids, or by slot alone. */
  #resting: Pick<Book, 'remove' | 'reduce'>;
  readonly #consumed: ConsumedVolume;

  constructor(options: FillModelOptions) {
    this.#own = new OwnOrders(options, (request, atMicros) => this.#wouldTrade(request, atMicros));
    this.counts = this.#own.counts;
    this.book = new Book(options.book);
    this.#history = new IdentifiedBook(this.book);
    this.#resting = this.#history;
    this.gaps = new GapPlaces(this.book, () => this.#own.resting);
    this.#consumed = new ConsumedVolume(this.book, options.consumedMicros ?? Infinity);
  }

  /** Our resting orders, oldest first. */
  get openOrders(): readonly OwnOrder[] {
    return this.#own.resting;
  }

  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.of(side).best?.price;
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
  start(start: FillModelStart): void {
    for (const { id, price, volume } of start.bids) this.#history.create(id, 'BID', price, volume);
    for (const { id, price, volume } of start.asks) this.#history.create(id, 'ASK', price, volume);
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
    else if (kind === traded) this.#applyTrade(slot, row.volume as Lots, row);
    else this.#applyRare(row);
  }

  #applyRare({ kind, slot, volume, atMicros }: FlowCursor): void {
    if (kind === resized) this.#applyResize(slot, volume as Lots);
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
    if (request.timeInForce === 'FOK' && this.#available(order, atMicros) < order.volume)
      this.#complete(order, 'FILL_OR_KILL', atMicros);
    else this.#execute(order, request.timeInForce, atMicros);
  }

  /** Cancels a resting order; the listener hears that it is complete, or that it is not pending. */
  cancel(order: OwnOrder, atMicros: number): void {
    if (order.isResting) this.#complete(order, 'CANCELLED', atMicros);
    else this.#own.refuseCancel(order, atMicros);
  }

  /** Lets a new order take what it meets and rest with what is left, if it may. */
  #execute(order: OwnOrder, timeInForce: TimeInForce, atMicros: number): void {
    if (meetsBook(order, this.book)) this.#take(order, atMicros);
    if (order.remaining === 0) return;
    if (this.#own.meetsOwn(order)) this.#complete(order, 'SELF_TRADE', atMicros);
    else if (timeInForce === 'GTC') this.#rest(order);
    else this.#complete(order, 'IMMEDIATE_OR_CANCEL', atMicros);
  }

  #applyCreate(slot: number, row: FlowCursor): void {
    const { isAsk } = row;
    const price = row.price as Ticks;
    if (slot !== 0) this.book.createAt(slot, isAsk ? 'ASK' : 'BID', price, row.volume as Lots);
    const own = isAsk ? this.#own.bids : this.#own.asks;
    if (slot === 0 || own.reaches(price)) this.#noteFlow(slot, row);
  }

  #noteFlow(slot: number, { isAsk, price, volume, atMicros }: FlowCursor): void {
    const side = isAsk ? 'ASK' : 'BID';
    this.#noteCreated(slot, { side, price: price as Ticks, volume: volume as Lots, atMicros });
  }

  /** An order of history was created in `slot`, or in none if its id was there already. */
  #noteCreated(slot: number, row: Created): void {
    if (slot === 0) {
      this.counts.impossibleRows++;
      return;
    }
    const own = this.#own.of(opposite(row.side));
    let left = row.volume;
    for (let order = own.best; order !== undefined && left > 0; order = own.best) {
      if (own.isBetter(row.price, order.price)) break;
      const volume = Math.min(left, order.remaining) as Lots;
      left = (left - volume) as Lots;
      this.#consumed.take(slot, volume, row.atMicros);
      this.#fillMaker(order, volume, row.atMicros);
    }
    if (left < row.volume) this.counts.displacedOrders++;
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
    const less = (this.book.volumeOf(slot) - volume) as Lots;
    if (less < 0) this.counts.impossibleRows++;
    if (less > 0) this.#resting.reduce(slot, less);
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
    const own = this.#queueAt(level);
    const price = book.priceOfLevel(level);
    const arrival = book.arrivalOf(slot);
    this.#resting.reduce(slot, volume);
    if (own.reaches(price))
      this.#shareTrade(own, { price, arrival, volume: traded, atMicros: row.atMicros });
  }

  /** Gives a trade to our orders that stood before its maker, until its volume is used up. */
  #shareTrade(
    own: OwnQueue,
    trade: Timed & {
      readonly price: Ticks;
      /** The maker's. */
      readonly arrival: number;
      readonly volume: Lots;
    },
  ): void {
    let left = trade.volume;
    for (let order = own.best; order !== undefined && left > 0; order = own.best) {
      if (!wasBefore(order, own, trade.price, trade.arrival)) break;
      const volume = Math.min(left, order.remaining) as Lots;
      left = (left - volume) as Lots;
      this.#fillMaker(order, volume, trade.atMicros);
    }
    if (left < trade.volume) this.counts.displacedTrades++;
  }

  /** Our orders of the side that a level of history is of. */
  #queueAt(level: number): OwnQueue {
    return this.book.isAskLevel(level) ? this.#own.asks : this.#own.bids;
  }

  #wouldTrade(request: ModelRequest, atMicros: number): boolean {
    return this.#own.meetsOwn(request) || this.#available(request, atMicros) > 0;
  }

  /**
   * Returns what an order could take at once, up to its volume and up to our own resting orders.
   */
  #available(order: Pick<OwnOrder, 'side' | 'price' | 'volume'>, atMicros: number): number {
    if (!meetsBook(order, this.book)) return 0;
    let volume = 0;
    for (const slot of this.#reachable(order)) {
      volume += this.#consumed.availableAt(slot, atMicros);
      if (volume >= order.volume) return order.volume;
    }
    return volume;
  }

  /** Takes what the order meets, until it is filled or another of our orders stops it. */
  #take(order: OwnOrder, atMicros: number): void {
    for (const slot of this.#reachable(order)) {
      const available = this.#consumed.availableAt(slot, atMicros);
      const volume = Math.min(order.remaining, available) as Lots;
      if (volume === 0) continue;
      if (this.#consumed.take(slot, volume, atMicros)) this.counts.takenOrders++;
      this.#own.fill(order, volume, this.book.priceOf(slot), false, atMicros);
      if (order.remaining === 0) return;
    }
  }

  #reachable(order: Pick<OwnOrder, 'side' | 'price'>): Iterable<number> {
    return reachableOrders(this.book, this.#own.of(opposite(order.side)), order);
  }

  #rest(order: OwnOrder): void {
    this.#own.rest(order);
    this.book.hold(order);
  }

  #fillMaker(order: OwnOrder, volume: Lots, atMicros: number): void {
    if (order.ahead !== 0) this.counts.fillsOutOfQueue++;
    this.#own.fill(order, volume, order.price, true, atMicros);
    if (order.remaining === 0) this.book.release(order);
  }

  #complete(order: OwnOrder, reason: CompletionReason, atMicros: number): void {
    if (order.isResting) this.book.release(order);
    this.#own.complete(order, reason, atMicros);
  }
}

/** Whether an order of ours stood before the maker of a trade. */
function wasBefore(order: OwnOrder, own: OwnQueue, price: Ticks, arrival: number): boolean {
  if (order.price === price) return order.arrival <= arrival;
  return own.isBetter(order.price, price);
}
