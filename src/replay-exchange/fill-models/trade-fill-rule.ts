/**
 * Fills over a recording of trades: nothing is known of the queue, so a resting order fills only
 * when a trade went beyond its price, where the queue does not matter.
 *
 *   - A resting order fills when a taker of the other side trades strictly beyond its price: at our
 *     limit, as much as that trade, shared by price, then time. A trade at our price fills nothing.
 *   - A taker trades with a made-up best price, a stated distance from the last trade; it gets no
 *     more than a stated share of that trade's volume, until the next trade. What is left rests at
 *     its limit, or is cancelled.
 *
 * Invariant: on the trades of an order by order history an order that rests has at any time at most
 * the fills that the model of exact queues gives it there.
 */
import { opposite } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { meets } from '../../exchange-accounts/order-crossing.ts';
import { rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { FillRule, RuledMarket } from './coarse-fill-model.ts';
import type { ModelRequest } from './fill-event.ts';
import type { OwnOrder } from './own-order.ts';
import { type VolumeShare, volumeOfShare } from './volume-share.ts';

export class TradeFillRule implements FillRule {
  readonly #market: RuledMarket;
  readonly #share: VolumeShare;
  /** What takers may still have of the last trade. */
  #offered: Lots = noLots;

  constructor(market: RuledMarket, share: VolumeShare) {
    this.#market = market;
    this.#share = share;
  }

  apply({ kind, price, volume, isAsk, atMicros }: FlowCursor): void {
    if (kind !== rowKind.trade) return;
    this.#offered = volumeOfShare(volume, this.#share);
    // Of the maker's side only: what a taker of our own side did has nothing to do with us.
    const maker = { price, arrival: -Infinity, volume, atMicros };
    this.#market.own.fillBefore(isAsk ? 'ASK' : 'BID', maker);
  }

  meetsOwn(request: ModelRequest): boolean {
    return this.#market.own.meetsOwn(request);
  }

  enter(order: OwnOrder, atMicros: number): void {
    const isKilled = order.timeInForce === 'FOK' && this.#takeable(order) < order.volume;
    if (!isKilled) this.#take(order, atMicros);
    this.#market.own.settle(order, atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    this.#market.own.cancel(order, atMicros);
  }

  /** What the order could take at once; nothing if another of ours stands before it. */
  #takeable(order: OwnOrder): Lots {
    const { own, book } = this.#market;
    const side = opposite(order.side);
    const best = book.bestPrice(side);
    if (best === undefined || !meets(order, best)) return noLots;
    const ownPrice = own.bestPrice(side);
    if (ownPrice !== undefined && !own.of(side).isBetter(best, ownPrice)) return noLots;
    return minLots(order.remaining, this.#offered);
  }

  #take(order: OwnOrder, atMicros: number): void {
    const { own, book } = this.#market;
    const volume = this.#takeable(order);
    const price = book.bestPrice(opposite(order.side));
    if (volume === 0 || price === undefined) return;
    this.#offered = subtractLots(this.#offered, volume);
    own.fill(order, volume, price, false, atMicros);
  }
}
