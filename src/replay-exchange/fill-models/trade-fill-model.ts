/**
 * Fills over a recording of trades. The queue is unknown, so a resting order fills only when a
 * trade happens beyond its price, where the queue does not matter.
 *
 *   - Resting orders fill at their limits when a taker on the other side trades strictly beyond
 *     their price. They share the volume of that trade by price, then time. A trade at the price
 *     itself fills nothing.
 *   - A taker trades with a synthetic best price, a half spread from the last trade. Until the next
 *     trade, takers get at most the given share of that trade's volume. The rest of the order rests
 *     at its limit or is cancelled.
 *
 * Invariant: over the trades of an order-by-order history, a resting order has at any time at most
 * the fills that the queue fill model would give it.
 */
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { meets, meetsBook } from '../../exchange-accounts/order-crossing.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { ArrivingTerms, FillModel } from './fill-model.ts';
import type { OwnOrder } from './own-order.ts';
import type { OwnOrders } from './own-orders.ts';
import type { QuoteHistory } from './quote-history.ts';
import { type VolumeShare, volumeOfShare } from './volume-share.ts';

export class TradeFillModel implements FillModel {
  readonly #own: OwnOrders;
  readonly #book: QuoteHistory['book'];
  readonly #share: VolumeShare;
  /** The volume of the last trade that takers can still get. */
  #offered: Lots = noLots;

  constructor(own: OwnOrders, history: QuoteHistory, share: VolumeShare) {
    this.#own = own;
    this.#book = history.book;
    this.#share = share;
  }

  row({ price, volume, isAsk, atMicros }: FlowCursor): void {
    this.#offered = volumeOfShare(volume, this.#share);
    // Only our orders on the maker's side: a taker on our own side cannot fill us.
    const maker = { price, arrival: -Infinity, volume, atMicros };
    this.#own.fillBefore(isAsk ? 'ASK' : 'BID', maker);
  }

  wouldTrade(order: ArrivingTerms): boolean {
    return this.#own.meetsOwn(order) || meetsBook(order, this.#book);
  }

  place(order: OwnOrder, atMicros: number): void {
    const isKilled = order.timeInForce === 'FOK' && this.#takeable(order) < order.volume;
    if (!isKilled) this.#take(order, atMicros);
    this.#own.settle(order, atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    this.#own.cancel(order, atMicros);
  }

  /** Always undefined: the data contain no queue. */
  aheadOf(): undefined {
    return undefined;
  }

  /** Returns the volume that the order could take; 0 if an order of ours comes first. */
  #takeable(order: OwnOrder): Lots {
    const own = this.#own;
    const side = opposite(order.side);
    const best = this.#book.bestPrice(side);
    if (best === undefined || !meets(order, best)) return noLots;
    const ownPrice = own.bestPrice(side);
    if (ownPrice !== undefined && !own.of(side).isBetter(best, ownPrice)) return noLots;
    return minLots(order.wantedAt(best), this.#offered);
  }

  #take(order: OwnOrder, atMicros: number): void {
    const volume = this.#takeable(order);
    const price = this.#book.bestPrice(opposite(order.side));
    if (volume === 0 || price === undefined) return;
    this.#offered = subtractLots(this.#offered, volume);
    this.#own.fill(order, volume, price, false, atMicros);
  }
}
