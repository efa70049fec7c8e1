/**
 * Our orders in one market: accepted or refused, resting by price, then time, and reported to the
 * listener when they fill and end. The fill model that keeps them decides what fills, and when.
 *
 * Invariant: an order rests in the places of its side exactly while `isResting`.
 */
import { type Market, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { minLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { FeeSchedule, productOf } from '../../exchange-accounts/fee-schedule.ts';
import { meets } from '../../exchange-accounts/order-crossing.ts';
import { checkTerms } from '../../exchange-accounts/order-terms.ts';
import type { Book } from '../../market/book/book.ts';
import { QueuePlaces } from '../../market/book/queue-places.ts';
import { OrderIds } from '../account/order-ids.ts';
import type {
  CompletionReason,
  ModelListener,
  ModelRejection,
  ModelRequest,
} from './fill-event.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import { OwnOrder } from './own-order.ts';
import { emptyReplayCounts, type ReplayCounts } from './replay-counts.ts';

type WouldTrade = (request: ModelRequest, atMicros: number) => boolean;

/** An order of history that meets our side of the market, to be compared with our resting ones. */
export type HistoryOrder = {
  readonly price: Ticks;
  /** Its place in the queue; Infinity behind all, -Infinity where no queue is known. */
  readonly arrival: number;
  /** What it traded, or would with us. */
  readonly volume: Lots;
  readonly atMicros: number;
};

export class OwnOrders {
  readonly counts: ReplayCounts = emptyReplayCounts();
  // Best price first, then oldest first.
  readonly bids: QueuePlaces<OwnOrder>;
  readonly asks: QueuePlaces<OwnOrder>;
  /** In whose queues they stand, where history knows queues. */
  readonly #book: Book<OwnOrder> | undefined;
  readonly #market: Market;
  readonly #fees: FeeSchedule;
  readonly #listener: ModelListener;
  readonly #orderIds: OrderIds;
  readonly #wouldTrade: WouldTrade;
  #tradeSequence: number;

  /**
   * `wouldTrade`: whether a valid post-only request would trade at once; `book`: given if resting
   * orders hold a place in its queues.
   */
  constructor(options: FillModelOptions, wouldTrade: WouldTrade, book?: Book<OwnOrder>) {
    this.#wouldTrade = wouldTrade;
    this.#book = book;
    this.bids = book?.placesOf('BID') ?? new QueuePlaces('BID');
    this.asks = book?.placesOf('ASK') ?? new QueuePlaces('ASK');
    this.#market = options.market;
    this.#fees = new FeeSchedule(options.rates, options.market);
    this.#listener = options.listener;
    this.#orderIds = options.orderIds ?? new OrderIds();
    this.#tradeSequence = options.tradeSequence ?? 0;
  }

  /** Returns those of a side that rest, best price first, then oldest first. */
  of(side: Side): QueuePlaces<OwnOrder> {
    return side === 'BID' ? this.bids : this.asks;
  }

  /** Those that rest, oldest first. */
  get resting(): readonly OwnOrder[] {
    return [...this.bids.all, ...this.asks.all].sort((a, b) => a.number - b.number);
  }

  /** Returns the best price of those of a side that rest. */
  bestPrice(side: Side): Ticks | undefined {
    return this.of(side).best?.price;
  }

  /** Counts a trade of history: it has the next number. */
  countTrade(): void {
    this.#tradeSequence++;
    this.counts.trades++;
  }

  /** Returns whether the order would trade with another of ours that rests. */
  meetsOwn(order: Pick<OwnOrder, 'side' | 'price'>): boolean {
    const best = this.bestPrice(opposite(order.side));
    return best !== undefined && meets(order, best);
  }

  /** Accepts a request as an order, which neither rests nor has traded yet, or refuses it. */
  accept(request: ModelRequest, atMicros: number): OwnOrder | undefined {
    const { clientOrderId } = request;
    const code = this.#rejectionOf(request, atMicros);
    if (code !== undefined) {
      this.#listener({ kind: 'rejected', atMicros, clientOrderId, code });
      return undefined;
    }
    const order = new OwnOrder(this.#orderIds.next(), request, atMicros);
    this.#listener({ kind: 'accepted', atMicros, order });
    return order;
  }

  /** Lets an order that has traded what it could at once rest, or cancels what is left of it. */
  settle(order: OwnOrder, atMicros: number): void {
    if (order.remaining === 0) return;
    if (order.timeInForce !== 'FOK' && this.meetsOwn(order))
      this.complete(order, 'SELF_TRADE', atMicros);
    else this.restOrCancel(order, atMicros);
  }

  /** Lets an order rest, or cancels it if its time in force forbids that. */
  restOrCancel(order: OwnOrder, atMicros: number): void {
    const { timeInForce } = order;
    if (timeInForce === 'GTC') this.#rest(order);
    else if (timeInForce === 'FOK') this.complete(order, 'FILL_OR_KILL', atMicros);
    else this.complete(order, 'IMMEDIATE_OR_CANCEL', atMicros);
  }

  /** Fills a part of an order, and completes it if that was the rest of it. */
  fill(order: OwnOrder, volume: Lots, price: Ticks, isMaker: boolean, atMicros: number): void {
    order.remaining = subtractLots(order.remaining, volume);
    if (isMaker) this.counts.makerFills++;
    else this.counts.takerFills++;
    if (isMaker && order.ahead !== 0) this.counts.fillsOutOfQueue++;
    const { feeBase, feeCounter } = this.#fees.feeOf(
      { side: order.side, price, volume, atMicros },
      isMaker,
    );
    this.#listener({
      kind: 'filled',
      atMicros,
      order,
      tradeSequence: ++this.#tradeSequence,
      price,
      base: volume,
      counter: productOf(price, volume),
      feeBase,
      feeCounter,
      isMaker,
      volumeAhead: order.ahead,
    });
    if (order.remaining === 0) this.complete(order, 'FILLED', atMicros);
  }

  /** Fills a part of a resting order at its limit. */
  fillMaker(order: OwnOrder, volume: Lots, atMicros: number): void {
    this.fill(order, volume, order.price, true, atMicros);
  }

  /**
   * Gives what an order of history traded, or could, to the resting orders of a side that stand
   * before it, by price, then time. Returns how much they got.
   */
  fillBefore(side: Side, { price, arrival, volume, atMicros }: HistoryOrder): Lots {
    const own = this.of(side);
    let left = volume;
    while (left > 0) {
      const order = own.bestBefore(price, arrival);
      if (order === undefined) break;
      const share = minLots(left, order.remaining);
      left = subtractLots(left, share);
      this.fillMaker(order, share, atMicros);
    }
    return subtractLots(volume, left);
  }

  complete(order: OwnOrder, reason: CompletionReason, atMicros: number): void {
    if (order.isResting) this.#leave(order);
    if (reason === 'SELF_TRADE') this.counts.selfTradesPrevented++;
    const outcome = reason === 'FILLED' ? 'filled' : 'cancelled';
    this.#listener({ kind: 'completed', atMicros, order, outcome, reason });
  }

  /** Cancels a resting order; any other is reported as not pending. */
  cancel(order: OwnOrder, atMicros: number): void {
    if (order.isResting) {
      this.complete(order, 'CANCELLED', atMicros);
      return;
    }
    const code = 'ErrCannotStopUnknownOrNonPendingOrder';
    this.#listener({ kind: 'cancel-rejected', atMicros, order, code });
  }

  #rest(order: OwnOrder): void {
    if (this.#book === undefined) this.of(order.side).add(order);
    else this.#book.hold(order);
    order.isResting = true;
  }

  #leave(order: OwnOrder): void {
    if (this.#book === undefined) this.of(order.side).delete(order);
    else this.#book.release(order);
    order.isResting = false;
  }

  #rejectionOf(request: ModelRequest, atMicros: number): ModelRejection | undefined {
    const code = checkTerms(request, this.#market);
    if (code !== undefined) return code;
    return request.postOnly && this.#wouldTrade(request, atMicros) ? 'ErrOrderCanceled' : undefined;
  }
}
