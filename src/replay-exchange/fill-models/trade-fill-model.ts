/**
 * The exchange of a recording of trades: nothing is known of the queue, so a resting order fills
 * only when a trade went beyond its price, where the queue does not matter.
 *
 *   - A resting order fills when a taker of the other side trades strictly beyond its price: at our
 *     limit, as much as that trade, shared by price, then time. A trade at our price fills nothing.
 *   - A taker trades with a made-up best price, a stated distance from the last trade; it gets no
 *     more than a stated share of that trade's volume, until the next trade. What is left rests at
 *     its limit, or is cancelled.
 *
 * Its history is a synthetic flow: trades of no order, and in slots the two made-up orders.
 *
 * Invariant: on the trades of an order by order history an order that rests has at any time at most
 * the fills that the tape exchange gives it there.
 */
import { type MarketStatus, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { Book } from '../../market/book/book.ts';
import { applyFlow, loadResting } from '../../market/book/flow-columns-book.ts';
import { type RestingBlock, rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { meets, meetsBook } from './crossing.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillModel } from './fill-model.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import { GapPlaces } from './gap-places.ts';
import type { OwnOrder } from './own-order.ts';
import { OwnOrders } from './own-orders.ts';
import { refuseRows, type VolumeShare, volumeOfShare } from './volume-share.ts';

export class TradeFillModel implements FillModel {
  readonly book = new Book();
  /** Nothing says otherwise. */
  status: MarketStatus = 'ACTIVE';
  readonly gaps = new GapPlaces(this.book, () => []);
  readonly #own: OwnOrders;
  readonly #share: VolumeShare;
  /** What takers may still have of the last trade. */
  #offered = 0 as Lots;

  constructor(options: FillModelOptions, share: VolumeShare) {
    this.#own = new OwnOrders(
      options,
      (request) => this.#own.meetsOwn(request) || meetsBook(request, this.book),
    );
    this.#share = share;
  }

  get counts() {
    return this.#own.counts;
  }

  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.of(side).best?.price;
  }

  /** Always undefined: trades say nothing of a queue. */
  aheadOf(): undefined {
    return undefined;
  }

  start(): never {
    return refuseRows();
  }

  apply(): never {
    return refuseRows();
  }

  startFlow(resting: RestingBlock): void {
    loadResting(this.book, resting);
  }

  applyFlow(row: FlowCursor): void {
    this.counts.rows++;
    if (row.kind === rowKind.trade) this.#trade(row);
    else applyFlow(this.book, row);
  }

  place(request: ModelRequest, atMicros: number): void {
    const own = this.#own;
    const order = own.accept(request, atMicros);
    if (order === undefined) return;
    const { timeInForce } = request;
    if (timeInForce === 'FOK' && this.#takeable(order) < order.volume) {
      own.complete(order, 'FILL_OR_KILL', atMicros);
      return;
    }
    this.#take(order, atMicros);
    if (order.remaining === 0) return;
    if (own.meetsOwn(order)) own.complete(order, 'SELF_TRADE', atMicros);
    else if (timeInForce === 'GTC') own.rest(order);
    else own.complete(order, 'IMMEDIATE_OR_CANCEL', atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    if (order.isResting) this.#own.complete(order, 'CANCELLED', atMicros);
    else this.#own.refuseCancel(order, atMicros);
  }

  #trade({ price, volume, isAsk, atMicros }: FlowCursor): void {
    this.#own.countTrade();
    this.#offered = volumeOfShare(volume as Lots, this.#share);
    // Of the maker's side only: what a taker of our own side did has nothing to do with us.
    const own = this.#own.of(isAsk ? 'ASK' : 'BID');
    let left = volume;
    for (let order = own.best; order !== undefined && left > 0; order = own.best) {
      if (!own.isBetter(order.price, price as Ticks)) return;
      const filled = Math.min(left, order.remaining) as Lots;
      left -= filled;
      this.#own.fill(order, filled, order.price, true, atMicros);
    }
  }

  /** What the order could take at once; nothing if another of ours stands before it. */
  #takeable(order: OwnOrder): Lots {
    const side = opposite(order.side);
    const best = this.book.bestPrice(side);
    if (best === undefined || !meets(order, best)) return 0 as Lots;
    const own = this.#own.of(side);
    if (own.best !== undefined && !own.isBetter(best, own.best.price)) return 0 as Lots;
    return Math.min(order.remaining, this.#offered) as Lots;
  }

  #take(order: OwnOrder, atMicros: number): void {
    const volume = this.#takeable(order);
    const price = this.book.bestPrice(opposite(order.side));
    if (volume === 0 || price === undefined) return;
    this.#offered = (this.#offered - volume) as Lots;
    this.#own.fill(order, volume, price, false, atMicros);
  }
}
