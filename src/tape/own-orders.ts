/**
 * Our orders where history has no queue for them to stand in: taken or refused, resting by price,
 * then time, and told of when they fill and end. The models of lower grades decide when.
 */
import { type Market, opposite, type Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import type { Book } from '../market/book.ts';
import { FeeSchedule } from './fee-schedule.ts';
import { OrderIds } from './order-ids.ts';
import { type OwnOrder, OwnQueue } from './own-order.ts';
import { meets } from './reach.ts';
import { checkRequest } from './tape-checks.ts';
import { emptyTapeCounts, type TapeCounts } from './tape-counts.ts';
import type { CompletionReason, TapeListener, TapeRejection, TapeRequest } from './tape-event.ts';
import type { TapeOptions } from './tape-options.ts';

export type OwnFill = {
  readonly volume: Lots;
  readonly price: Ticks;
  readonly isMaker: boolean;
  readonly atMicros: number;
};

export class OwnOrders {
  readonly counts: TapeCounts = emptyTapeCounts();
  readonly bids = new OwnQueue('BID');
  readonly asks = new OwnQueue('ASK');
  /** Orders that rest, by their id. */
  readonly resting = new Map<string, OwnOrder>();
  readonly #market: Market;
  readonly #book: Book;
  readonly #fees: FeeSchedule;
  readonly #listener: TapeListener;
  readonly #orderIds: OrderIds;
  #arrivals = 0;
  #tradeSequence: number;

  /** `book` has the prices at which takers may trade. */
  constructor(options: TapeOptions, book: Book) {
    this.#market = options.market;
    this.#book = book;
    this.#fees = new FeeSchedule(options.rates, options.market);
    this.#listener = options.listener;
    this.#orderIds = options.orderIds ?? new OrderIds();
    this.#tradeSequence = options.tradeSequence ?? 0;
  }

  of(side: Side): OwnQueue {
    return side === 'BID' ? this.bids : this.asks;
  }

  /** A trade of history has had the next number. */
  countTrade(): void {
    this.#tradeSequence++;
    this.counts.trades++;
  }

  /** Whether the order trades with history at once. */
  meetsBook(order: Pick<OwnOrder, 'side' | 'price'>): boolean {
    const best = this.#book.bestPrice(opposite(order.side));
    return best !== undefined && meets(order, best);
  }

  /** Takes a request as an order, which neither rests nor has traded yet, or refuses it. */
  accept(
    request: TapeRequest,
    { atMicros, meetsOwn }: { readonly atMicros: number; readonly meetsOwn: boolean },
  ): OwnOrder | undefined {
    const { clientOrderId, side, price, volume } = request;
    const code = this.#rejectionOf(request, meetsOwn);
    if (code !== undefined) {
      this.#listener({ kind: 'rejected', atMicros, clientOrderId, code });
      return undefined;
    }
    const order: OwnOrder = {
      orderId: this.#orderIds.next(),
      clientOrderId,
      side,
      price,
      volume,
      arrival: ++this.#arrivals,
      createdMicros: atMicros,
      remaining: volume,
      ahead: 0 as Lots,
    };
    this.#listener({ kind: 'accepted', atMicros, orderId: order.orderId, clientOrderId });
    return order;
  }

  rest(order: OwnOrder): void {
    this.resting.set(order.orderId, order);
    this.of(order.side).add(order);
  }

  /** Fills a part of an order, and completes it if that was the rest of it. */
  fill(order: OwnOrder, { volume, price, isMaker, atMicros }: OwnFill): void {
    const { orderId, clientOrderId, side } = order;
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
      // Nobody knows; the results leave out what is made of it.
      volumeAhead: 0 as Lots,
    });
    if (order.remaining === 0) this.complete(order, 'FILLED', atMicros);
  }

  complete(order: OwnOrder, reason: CompletionReason, atMicros: number): void {
    const { orderId, clientOrderId } = order;
    if (this.resting.delete(orderId)) this.of(order.side).delete(order);
    if (reason === 'SELF_TRADE') this.counts.selfTradesPrevented++;
    const outcome = reason === 'FILLED' ? 'filled' : 'cancelled';
    this.#listener({ kind: 'completed', atMicros, orderId, clientOrderId, outcome, reason });
  }

  /** The listener hears that there is no such order. */
  refuseCancel(orderId: string, atMicros: number): void {
    const code = 'ErrCannotStopUnknownOrNonPendingOrder';
    this.#listener({ kind: 'cancel-rejected', atMicros, orderId, code });
  }

  #rejectionOf(request: TapeRequest, meetsOwn: boolean): TapeRejection | undefined {
    const code = checkRequest(request, this.#market);
    if (code !== undefined) return code;
    const wouldTrade = request.postOnly && (meetsOwn || this.meetsBook(request));
    return wouldTrade ? 'ErrOrderCanceled' : undefined;
  }
}
