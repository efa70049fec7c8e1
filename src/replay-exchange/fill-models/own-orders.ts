/**
 * Our orders in one market of the tape: taken or refused, resting by price, then time, and told of
 * when they fill and end. What fills, and when, is decided by the exchange that keeps them.
 */
import { type Market, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { FeeSchedule, productOf } from '../../exchange-accounts/fee-schedule.ts';
import { checkTerms } from '../../exchange-accounts/order-terms.ts';
import { OrderIds } from '../account/order-ids.ts';
import { meets } from './crossing.ts';
import type {
  CompletionReason,
  ModelListener,
  ModelRejection,
  ModelRequest,
} from './fill-event.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import { OwnOrder, OwnQueue } from './own-order.ts';
import { emptyReplayCounts, type ReplayCounts } from './replay-counts.ts';

type WouldTrade = (request: ModelRequest, atMicros: number) => boolean;

export class OwnOrders {
  readonly counts: ReplayCounts = emptyReplayCounts();
  readonly bids = new OwnQueue('BID');
  readonly asks = new OwnQueue('ASK');
  readonly #market: Market;
  readonly #fees: FeeSchedule;
  readonly #listener: ModelListener;
  readonly #orderIds: OrderIds;
  readonly #wouldTrade: WouldTrade;
  #tradeSequence: number;

  /** `wouldTrade`: whether a valid post-only request would trade at once. */
  constructor(options: FillModelOptions, wouldTrade: WouldTrade) {
    this.#wouldTrade = wouldTrade;
    this.#market = options.market;
    this.#fees = new FeeSchedule(options.rates, options.market);
    this.#listener = options.listener;
    this.#orderIds = options.orderIds ?? new OrderIds();
    this.#tradeSequence = options.tradeSequence ?? 0;
  }

  of(side: Side): OwnQueue {
    return side === 'BID' ? this.bids : this.asks;
  }

  /** Those that rest, oldest first. */
  get resting(): readonly OwnOrder[] {
    return [...this.bids.orders, ...this.asks.orders].sort((a, b) => a.number - b.number);
  }

  /** A trade of history has had the next number. */
  countTrade(): void {
    this.#tradeSequence++;
    this.counts.trades++;
  }

  /** Whether the order would trade with another of ours that rests. */
  meetsOwn(order: Pick<OwnOrder, 'side' | 'price'>): boolean {
    const best = this.of(opposite(order.side)).best;
    return best !== undefined && meets(order, best.price);
  }

  /** Takes a request as an order, which neither rests nor has traded yet, or refuses it. */
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

  rest(order: OwnOrder): void {
    this.of(order.side).add(order);
  }

  /** Fills a part of an order, and completes it if that was the rest of it. */
  fill(order: OwnOrder, volume: Lots, price: Ticks, isMaker: boolean, atMicros: number): void {
    order.remaining = (order.remaining - volume) as Lots;
    if (isMaker) this.counts.makerFills++;
    else this.counts.takerFills++;
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

  complete(order: OwnOrder, reason: CompletionReason, atMicros: number): void {
    if (order.isResting) this.of(order.side).delete(order);
    if (reason === 'SELF_TRADE') this.counts.selfTradesPrevented++;
    const outcome = reason === 'FILLED' ? 'filled' : 'cancelled';
    this.#listener({ kind: 'completed', atMicros, order, outcome, reason });
  }

  /** The listener hears that the order is not pending. */
  refuseCancel(order: OwnOrder, atMicros: number): void {
    const code = 'ErrCannotStopUnknownOrNonPendingOrder';
    this.#listener({ kind: 'cancel-rejected', atMicros, order, code });
  }

  #rejectionOf(request: ModelRequest, atMicros: number): ModelRejection | undefined {
    const code = checkTerms(request, this.#market);
    if (code !== undefined) return code;
    return request.postOnly && this.#wouldTrade(request, atMicros) ? 'ErrOrderCanceled' : undefined;
  }
}
