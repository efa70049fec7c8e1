/**
 * The queue fill model: recorded order flow with our orders at their places in the real queues. A
 * resting order is filled only when history proves that it would have been:
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
 * The volume ahead of an order is history's, including volume that we took, which can only make us
 * wait longer.
 *
 * Invariant: in first-in-first-out data `volumeAhead` is 0 at every maker fill.
 */
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { addLots, minLots, noLots } from '../../domain/ticks-and-lots.ts';
import { meets, meetsBook } from '../../exchange-accounts/order-crossing.ts';
import type { Book } from '../../market/book/book.ts';
import { rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { ConsumedVolume } from './consumed-volume.ts';
import type { ArrivingTerms, FillModel } from './fill-model.ts';
import type { OrderHistory } from './order-history.ts';
import type { OwnOrder } from './own-order.ts';
import type { OwnOrders } from './own-orders.ts';

export class QueueFillModel implements FillModel {
  readonly #own: OwnOrders;
  readonly #history: OrderHistory;
  readonly #book: Book;
  readonly #consumed: ConsumedVolume;

  /** `consumedMicros`: how long volume that we took stays taken. */
  constructor(own: OwnOrders, history: OrderHistory, consumedMicros = Infinity) {
    this.#own = own;
    this.#history = history;
    this.#book = history.book;
    this.#consumed = new ConsumedVolume(history.book, consumedMicros);
  }

  row(row: FlowCursor): void {
    if (row.kind === rowKind.create) this.#meetCreated(row);
    else this.#followTrade(row);
  }

  wouldTrade(order: ArrivingTerms, atMicros: number): boolean {
    return this.#own.meetsOwn(order) || this.#available(order, atMicros) > 0;
  }

  place(order: OwnOrder, atMicros: number): void {
    const isKilled = order.timeInForce === 'FOK' && this.#available(order, atMicros) < order.volume;
    if (!isKilled) this.#take(order, atMicros);
    order.arrival = this.#book.nextArrival;
    this.#own.settle(order, atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    this.#own.cancel(order, atMicros);
  }

  aheadOf({ side, price, arrival }: OwnOrder): Lots {
    return this.#book.volumeAhead(side, price, arrival);
  }

  /** An order of history was created whose price meets the best of ours. */
  #meetCreated({ slot, isAsk, price, volume, atMicros }: FlowCursor): void {
    const order = { price, arrival: Infinity, volume, atMicros };
    const filled = this.#own.fillBefore(isAsk ? 'BID' : 'ASK', order);
    if (filled === 0) return;
    this.#consumed.take(slot, filled, atMicros);
    this.#own.counts.displacedOrders++;
  }

  /** History traded at a price that reaches the best of ours. */
  #followTrade({ volume, atMicros }: FlowCursor): void {
    const { isAsk, price, arrival } = this.#history.maker;
    const maker = { price, arrival, volume, atMicros };
    if (this.#own.fillBefore(isAsk ? 'ASK' : 'BID', maker) > 0) this.#own.counts.displacedTrades++;
  }

  /**
   * Returns the volume that an order could take immediately, at most its own volume, and only at
   * prices better than our own resting orders.
   */
  #available(order: ArrivingTerms, atMicros: number): Lots {
    if (!meetsBook(order, this.#book)) return noLots;
    let volume: Lots = noLots;
    for (const slot of this.#reachable(order)) {
      volume = addLots(volume, this.#consumed.availableAt(slot, atMicros));
      if (volume >= order.volume) return order.volume;
    }
    return volume;
  }

  /** Takes orders that it crosses, until it is filled or reaches another order of ours. */
  #take(order: OwnOrder, atMicros: number): void {
    if (!meetsBook(order, this.#book)) return;
    for (const slot of this.#reachable(order)) {
      const available = this.#consumed.availableAt(slot, atMicros);
      const price = this.#book.priceOf(slot);
      const volume = minLots(order.wantedAt(price), available);
      if (volume === 0) continue;
      if (this.#consumed.take(slot, volume, atMicros)) this.#own.counts.takenOrders++;
      this.#own.fill(order, volume, price, false, atMicros);
      if (order.remaining === 0) return;
    }
  }

  /**
   * Yields the slots of historical orders that the order crosses, by price, then time, at prices
   * better than those of our own resting orders.
   */
  *#reachable(order: ArrivingTerms): Generator<number, void> {
    const side = opposite(order.side);
    const own = this.#own.of(side);
    const ownPrice = own.best?.price;
    let price = this.#book.bestPrice(side);
    while (price !== undefined && meets(order, price)) {
      if (ownPrice !== undefined && !own.isBetter(price, ownPrice)) return;
      yield* this.#book.ordersAt(side, price);
      price = this.#book.priceAfter(side, price);
    }
  }
}
