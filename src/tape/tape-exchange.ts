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
import type { TimeInForce } from '../domain/bot-settings.ts';
import { type Market, type MarketStatus, opposite, type Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { Book } from '../market/book.ts';
import { type RestingBlock, rowKind, statuses, unprovenGap } from '../market/flow-block.ts';
import { loadResting } from '../market/flow-columns-book.ts';
import type { FlowCursor } from '../market/flow-cursor.ts';
import { IdentifiedBook } from '../market/identified-book.ts';
import type { OrderCreated, OrderFlowRow } from '../market/order-flow-row.ts';
import { ConsumedVolume } from './consumed-volume.ts';
import { FeeSchedule } from './fee-schedule.ts';
import { GapPlaces } from './gap-places.ts';
import { OrderIds } from './order-ids.ts';
import { type OwnOrder, OwnQueue } from './own-order.ts';
import { meets, reachableOrders } from './reach.ts';
import { checkRequest } from './tape-checks.ts';
import { emptyTapeCounts, type TapeCounts } from './tape-counts.ts';
import type { CompletionReason, TapeListener, TapeRequest } from './tape-event.ts';
import type { TapeOptions, TapeStart } from './tape-options.ts';

const { create: created, delete: deleted, trade: traded, resize: resized } = rowKind;

type Created = Pick<OrderCreated, 'side' | 'price' | 'volume' | 'atMicros'>;

export class TapeExchange {
  readonly counts: TapeCounts = emptyTapeCounts();
  /** What becomes of our places in the queue when history could not be followed for a while. */
  readonly gaps: GapPlaces;
  /** The market's, as history told it last: who may trade, and whether at all. */
  status: MarketStatus = 'ACTIVE';
  readonly #market: Market;
  readonly #fees: FeeSchedule;
  readonly #listener: TapeListener;
  readonly #history: IdentifiedBook;
  /** What history's orders are taken out of: with their ids, or by slot alone. */
  #resting: Pick<Book, 'remove' | 'reduce'>;
  readonly #consumed: ConsumedVolume;
  readonly #bids = new OwnQueue('BID');
  readonly #asks = new OwnQueue('ASK');
  readonly #openOrders = new Map<string, OwnOrder>();
  readonly #orderIds: OrderIds;
  #tradeSequence: number;

  constructor(options: TapeOptions) {
    this.#market = options.market;
    this.#fees = new FeeSchedule(options.rates, options.market);
    this.#listener = options.listener;
    this.#history = new IdentifiedBook(new Book(options.book));
    this.#resting = this.#history;
    this.#orderIds = options.orderIds ?? new OrderIds();
    this.#tradeSequence = options.tradeSequence ?? 0;
    this.gaps = new GapPlaces(this.book, this.#openOrders);
    this.#consumed = new ConsumedVolume(
      this.#history.book,
      options.consumedMicros ?? Number.POSITIVE_INFINITY,
    );
  }

  /** History's book, without our orders; for questions only. */
  get book(): Book {
    return this.#history.book;
  }

  /** Our resting orders, oldest first. */
  get openOrders(): readonly Readonly<OwnOrder>[] {
    return [...this.#openOrders.values()];
  }

  /** Returns the best price of our resting orders on a side. */
  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own(side).best?.price;
  }

  /** Returns what stands before a resting order of ours at its price. */
  aheadOf(orderId: string): Lots | undefined {
    return this.#openOrders.get(orderId)?.ahead;
  }

  /** Returns the slot of history's order, or 0. */
  slotOf(historyId: string): number {
    return this.#history.slotOf(historyId);
  }

  /**
   * Puts history's resting orders in place; once, before the first row. Throws {@link BookError}.
   */
  start(start: TapeStart): void {
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
    else this.#applyTrade(this.#history.slotOf(row.makerId), row.volume, row.atMicros);
  }

  /** As {@link apply}, with the row that the cursor is at. */
  applyFlow(row: FlowCursor): void {
    this.counts.rows++;
    const { kind, slot, atMicros } = row;
    const volume = row.volume as Lots;
    if (kind === created) {
      const side = row.isAsk ? 'ASK' : 'BID';
      const price = row.price as Ticks;
      if (slot !== 0) this.book.createAt(slot, side, price, volume);
      if (slot === 0 || this.#own(opposite(side)).reaches(price))
        this.#noteCreated(slot, { side, price, volume, atMicros });
    } else if (kind === deleted) this.#applyDelete(slot);
    else if (kind === traded) this.#applyTrade(slot, volume, atMicros);
    else if (kind === resized) this.#applyResize(slot, volume);
    else if (kind === rowKind.gap) this.gaps.begin(slot === unprovenGap ? -Infinity : atMicros);
    else if (kind === rowKind.status) {
      this.status = statuses[slot] ?? 'UNKNOWN';
      // After a gap the book is known again from here.
      this.gaps.end();
    }
  }

  /** Takes an order; the listener hears whether it was accepted and what became of it at once. */
  place(request: TapeRequest, atMicros: number): void {
    const { clientOrderId } = request;
    const code = this.#rejectionOf(request, atMicros);
    if (code !== undefined) {
      this.#listener({ kind: 'rejected', atMicros, clientOrderId, code });
      return;
    }
    const order: OwnOrder = {
      orderId: this.#orderIds.next(),
      clientOrderId,
      side: request.side,
      price: request.price,
      volume: request.volume,
      arrival: this.book.nextArrival,
      createdMicros: atMicros,
      remaining: request.volume,
      ahead: 0 as Lots,
    };
    this.#listener({ kind: 'accepted', atMicros, orderId: order.orderId, clientOrderId });
    if (request.timeInForce === 'FOK' && this.#available(order, atMicros) < order.volume)
      this.#complete(order, 'FILL_OR_KILL', atMicros);
    else this.#execute(order, request.timeInForce, atMicros);
  }

  /** Cancels a resting order; the listener hears that it is complete, or that there is none. */
  cancel(orderId: string, atMicros: number): void {
    const order = this.#openOrders.get(orderId);
    if (order === undefined) {
      const code = 'ErrCannotStopUnknownOrNonPendingOrder';
      this.#listener({ kind: 'cancel-rejected', atMicros, orderId, code });
      return;
    }
    this.#complete(order, 'CANCELLED', atMicros);
  }

  /** Lets a new order take what it meets and rest with what is left, if it may. */
  #execute(order: OwnOrder, timeInForce: TimeInForce, atMicros: number): void {
    const metOwn = this.#take(order, atMicros);
    if (metOwn) this.counts.selfTradesPrevented++;
    if (order.remaining === 0) this.#complete(order, 'FILLED', atMicros);
    else if (metOwn) this.#complete(order, 'SELF_TRADE', atMicros);
    else if (timeInForce === 'GTC') this.#rest(order);
    else this.#complete(order, 'IMMEDIATE_OR_CANCEL', atMicros);
  }

  /** An order of history was created in `slot`, or in none if its id was there already. */
  #noteCreated(slot: number, row: Created): void {
    if (slot === 0) {
      this.counts.impossibleRows++;
      return;
    }
    const own = this.#own(opposite(row.side));
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
    if (this.book.isWatched(slot)) this.#moveUp(slot, this.book.volumeOf(slot));
    this.#consumed.forget(slot);
    this.#resting.remove(slot);
  }

  #applyResize(slot: number, volume: Lots): void {
    if (slot === 0) {
      this.counts.unknownOrders++;
      return;
    }
    const less = (this.book.volumeOf(slot) - volume) as Lots;
    if (less < 0) this.counts.impossibleRows++;
    if (less <= 0) return;
    if (this.book.isWatched(slot)) this.#moveUp(slot, less);
    this.#resting.reduce(slot, less);
  }

  #applyTrade(slot: number, traded: Lots, atMicros: number): void {
    this.#tradeSequence++;
    this.counts.trades++;
    if (slot === 0) {
      this.counts.unknownOrders++;
      return;
    }
    const { book } = this;
    const volume = Math.min(traded, book.volumeOf(slot)) as Lots;
    if (volume < traded) this.counts.impossibleRows++;
    const side = book.sideOf(slot);
    const price = book.priceOf(slot);
    const isOurs = this.#own(side).reaches(price);
    const arrival = isOurs ? book.arrivalOf(slot) : 0;
    if (isOurs && book.isWatched(slot)) this.#moveUp(slot, volume);
    if (this.#resting.reduce(slot, volume) === 0) this.#consumed.forget(slot);
    if (isOurs) this.#shareTrade(side, { price, arrival, volume: traded, atMicros });
  }

  /** Gives a trade to our orders that stood before its maker, until its volume is used up. */
  #shareTrade(
    side: Side,
    trade: {
      readonly price: Ticks;
      /** The maker's. */
      readonly arrival: number;
      readonly volume: Lots;
      readonly atMicros: number;
    },
  ): void {
    const own = this.#own(side);
    const { price } = trade;
    let left = trade.volume;
    for (let order = own.best; order !== undefined && left > 0; order = own.best) {
      const wasThrough = own.isBetter(order.price, price);
      const wasFirst = order.price === price && order.arrival <= trade.arrival;
      if (!wasThrough && !wasFirst) break;
      const volume = Math.min(left, order.remaining) as Lots;
      left = (left - volume) as Lots;
      this.#fillMaker(order, volume, trade.atMicros);
    }
    if (left < trade.volume) this.counts.displacedTrades++;
  }

  /** Moves our orders up that wait behind the order in `slot`, which gives up `volume`. */
  #moveUp(slot: number, volume: Lots): void {
    const price = this.book.priceOf(slot);
    const arrival = this.book.arrivalOf(slot);
    for (const order of this.#own(this.book.sideOf(slot)).orders)
      if (order.price === price && arrival < order.arrival)
        order.ahead = (order.ahead - volume) as Lots;
  }

  #rejectionOf(request: TapeRequest, atMicros: number) {
    const code = checkRequest(request, this.#market);
    if (code !== undefined) return code;
    return request.postOnly && this.#wouldTrade(request, atMicros) ? 'ErrOrderCanceled' : undefined;
  }

  #wouldTrade(request: TapeRequest, atMicros: number): boolean {
    const resting = this.#own(opposite(request.side)).best;
    if (resting !== undefined && meets(request, resting.price)) return true;
    return this.#available(request, atMicros) > 0;
  }

  /**
   * Returns what an order could take at once, up to its volume and up to our own resting orders.
   */
  #available(order: Pick<OwnOrder, 'side' | 'price' | 'volume'>, atMicros: number): number {
    let volume = 0;
    for (const slot of this.#reachable(order)) {
      volume += this.#consumed.availableAt(slot, atMicros);
      if (volume >= order.volume) return order.volume;
    }
    return volume;
  }

  /** Takes what the order meets; returns whether it was stopped by another of our orders. */
  #take(order: OwnOrder, atMicros: number): boolean {
    for (const slot of this.#reachable(order)) {
      const available = this.#consumed.availableAt(slot, atMicros);
      const volume = Math.min(order.remaining, available) as Lots;
      if (volume === 0) continue;
      this.#consumed.take(slot, volume, atMicros);
      this.counts.takenOrders++;
      this.#fill(order, { volume, price: this.book.priceOf(slot), isMaker: false, atMicros });
      if (order.remaining === 0) return false;
    }
    const resting = this.#own(opposite(order.side)).best;
    return resting !== undefined && meets(order, resting.price);
  }

  #reachable(order: Pick<OwnOrder, 'side' | 'price'>): Iterable<number> {
    return reachableOrders(this.book, this.#own(opposite(order.side)), order);
  }

  #rest(order: OwnOrder): void {
    order.ahead = this.book.volumeAt(order.side, order.price);
    this.#openOrders.set(order.orderId, order);
    this.#own(order.side).add(order);
    this.book.watch(order.side, order.price);
  }

  #fillMaker(order: OwnOrder, volume: Lots, atMicros: number): void {
    if (order.ahead !== 0) this.counts.fillsOutOfQueue++;
    this.#fill(order, { volume, price: order.price, isMaker: true, atMicros });
    if (order.remaining === 0) this.#complete(order, 'FILLED', atMicros);
  }

  #fill(
    order: OwnOrder,
    fill: {
      readonly volume: Lots;
      readonly price: Ticks;
      readonly isMaker: boolean;
      readonly atMicros: number;
    },
  ): void {
    const { orderId, clientOrderId, side, ahead } = order;
    const { volume, price, isMaker, atMicros } = fill;
    order.remaining = (order.remaining - volume) as Lots;
    if (isMaker) this.counts.makerFills++;
    else this.counts.takerFills++;
    this.#listener({
      kind: 'filled',
      atMicros,
      orderId,
      clientOrderId,
      side,
      tradeSequence: ++this.#tradeSequence,
      price,
      base: volume,
      counter: BigInt(price) * BigInt(volume),
      ...this.#fees.feeOf({ side, price, volume, atMicros }, isMaker),
      isMaker,
      volumeAhead: ahead,
    });
  }

  #complete(order: OwnOrder, reason: CompletionReason, atMicros: number): void {
    const { orderId, clientOrderId } = order;
    if (this.#openOrders.delete(orderId)) {
      this.#own(order.side).delete(order);
      this.book.unwatch(order.side, order.price);
    }
    const outcome = reason === 'FILLED' ? 'filled' : 'cancelled';
    this.#listener({ kind: 'completed', atMicros, orderId, clientOrderId, outcome, reason });
  }

  #own(side: Side): OwnQueue {
    return side === 'BID' ? this.#bids : this.#asks;
  }
}
