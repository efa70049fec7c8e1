/**
 * Our orders in one market: accepts or rejects them, keeps resting orders by price, then time, and
 * reports fills and ends to the listener. The fill model decides what fills, and when.
 *
 * Invariant: an order is in the queue places of its side exactly while `isResting`.
 */
import { type Market, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { minLots, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import {
  type DatedRates,
  type FeeRates,
  FeeSchedule,
  productOf,
} from '../../exchange-accounts/fee-schedule.ts';
import { failedLimit, failedTimeInForce } from '../../exchange-accounts/order-checks.ts';
import { meets } from '../../exchange-accounts/order-crossing.ts';
import { OrderIds } from '../account/order-ids.ts';
import type {
  CompletionReason,
  ModelListener,
  ModelRejection,
  ModelRequest,
} from './fill-event.ts';
import type { FillModel } from './fill-model.ts';
import { OwnOrder } from './own-order.ts';
import { OwnStops } from './own-stops.ts';
import { QueuePlaces } from './queue-places.ts';
import { emptyReplayCounts, type ReplayCounts } from './replay-counts.ts';

/** A historical order or trade that our resting orders may come before. */
export type HistoryOrder = {
  readonly price: Ticks;
  /** Its place in the queue; Infinity: behind all orders, -Infinity: the queue is unknown. */
  readonly arrival: number;
  /** The volume that it traded, or would have traded with us. */
  readonly volume: Lots;
  readonly atMicros: number;
};

export type OwnOrdersOptions = {
  readonly market: Market;
  readonly rates: FeeRates | readonly DatedRates[];
  /** Called synchronously; it must not call the exchange. */
  readonly listener: ModelListener;
  /** Shared by all markets of the account; by default a new sequence. */
  readonly orderIds?: OrderIds;
  /** The last trade number of an earlier process of the same account. */
  readonly tradeSequence?: number;
};

export class OwnOrders {
  readonly counts: ReplayCounts = emptyReplayCounts();
  // Resting orders, best price first, then oldest first.
  readonly bids = new QueuePlaces('BID');
  readonly asks = new QueuePlaces('ASK');
  /** Stop orders before their trigger; they are not in the book. */
  readonly stops = new OwnStops();
  readonly #market: Market;
  readonly #fees: FeeSchedule;
  readonly #listener: ModelListener;
  readonly #orderIds: OrderIds;
  readonly #model: Pick<FillModel, 'wouldTrade' | 'aheadOf'>;
  #tradeSequence: number;

  constructor(options: OwnOrdersOptions, model: Pick<FillModel, 'wouldTrade' | 'aheadOf'>) {
    this.#model = model;
    this.#market = options.market;
    this.#fees = new FeeSchedule(options.rates, options.market);
    this.#listener = options.listener;
    this.#orderIds = options.orderIds ?? new OrderIds();
    this.#tradeSequence = options.tradeSequence ?? 0;
  }

  /** Returns the resting orders on a side, best price first, then oldest first. */
  of(side: Side): QueuePlaces {
    return side === 'BID' ? this.bids : this.asks;
  }

  /** The resting orders, oldest first. */
  get resting(): readonly OwnOrder[] {
    return [...this.bids.all, ...this.asks.all].sort((a, b) => a.number - b.number);
  }

  /** Returns the best price of the resting orders on a side. */
  bestPrice(side: Side): Ticks | undefined {
    return this.of(side).best?.price;
  }

  /** Counts trades of history, which take the next trade numbers. */
  countTrades(trades = 1): void {
    this.#tradeSequence += trades;
    this.counts.trades += trades;
  }

  /** Returns whether the order would trade with a resting order of ours. */
  meetsOwn(order: Pick<OwnOrder, 'side' | 'price'>): boolean {
    const best = this.bestPrice(opposite(order.side));
    return best !== undefined && meets(order, best);
  }

  /**
   * Accepts a request; returns its order, which does not rest yet. Returns undefined for a request
   * that is rejected, and for a stop order that waits.
   */
  accept(request: ModelRequest, atMicros: number): OwnOrder | undefined {
    const { clientOrderId } = request;
    const failed = this.#rejectionOf(request, atMicros);
    if (failed !== undefined) {
      this.#listener({ kind: 'rejected', atMicros, clientOrderId, failed });
      return undefined;
    }
    const order = new OwnOrder(this.#orderIds.next(), request, atMicros);
    order.isAwaiting = order.stop !== undefined;
    this.#listener({ kind: 'accepted', atMicros, order });
    if (order.stop === undefined) return order;
    return !this.stops.add(order) && this.#trigger(order, atMicros) ? order : undefined;
  }

  /** Enters the stop orders that trades have triggered, and those that their own trades trigger. */
  runStops(enter: (order: OwnOrder, atMicros: number) => void, atMicros: number): void {
    const due: OwnOrder[] = [];
    while (this.stops.isDue || due.length > 0) {
      if (this.stops.isDue) due.push(...this.stops.take());
      const order = due.shift();
      if (order !== undefined && this.#trigger(order, atMicros)) enter(order, atMicros);
    }
  }

  /** Makes a stop order a limit order; returns whether it may enter the book. */
  #trigger(order: OwnOrder, atMicros: number): boolean {
    order.isAwaiting = false;
    order.createdMicros = atMicros;
    this.#listener({ kind: 'triggered', atMicros, order });
    if (!order.postOnly || !this.#model.wouldTrade(order, atMicros)) return true;
    this.complete(order, 'CANCELLED', atMicros);
    return false;
  }

  /** Rests the remainder of an order after its immediate fills, or cancels it. */
  settle(order: OwnOrder, atMicros: number): void {
    if (order.remaining === 0) return;
    if (order.timeInForce !== 'FOK' && this.meetsOwn(order))
      this.complete(order, 'SELF_TRADE', atMicros);
    else this.restOrCancel(order, atMicros);
  }

  /** Rests an order, or cancels it if its time in force does not allow resting. */
  restOrCancel(order: OwnOrder, atMicros: number): void {
    const { timeInForce } = order;
    if (timeInForce === 'GTC') this.#rest(order);
    else if (timeInForce === 'FOK') this.complete(order, 'FILL_OR_KILL', atMicros);
    else this.complete(order, 'IMMEDIATE_OR_CANCEL', atMicros);
  }

  /** Fills a part of an order, and completes it if nothing remains. */
  fill(order: OwnOrder, volume: Lots, price: Ticks, isMaker: boolean, atMicros: number): void {
    order.reduce(volume, price);
    if (isMaker) this.counts.makerFills++;
    else this.counts.takerFills++;
    const volumeAhead = (isMaker ? this.#model.aheadOf(order) : undefined) ?? noLots;
    if (volumeAhead !== 0) this.counts.fillsOutOfQueue++;
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
      volumeAhead,
    });
    this.stops.noteTrade(price);
    if (order.remaining === 0) this.complete(order, 'FILLED', atMicros);
  }

  /** Fills a part of a resting order at its limit. */
  fillMaker(order: OwnOrder, volume: Lots, atMicros: number): void {
    this.fill(order, volume, order.price, true, atMicros);
  }

  /**
   * Gives the volume of a historical order or trade to the resting orders on a side that come
   * before it, by price, then time. Returns the volume that they got.
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
    if (order.isResting) this.of(order.side).delete(order);
    order.isResting = false;
    if (reason === 'SELF_TRADE') this.counts.selfTradesPrevented++;
    const outcome = reason === 'FILLED' ? 'filled' : 'cancelled';
    this.#listener({ kind: 'completed', atMicros, order, outcome, reason });
  }

  /** Cancels an order that rests or waits; reports that any other order is not pending. */
  cancel(order: OwnOrder, atMicros: number): void {
    if (order.isAwaiting) this.stops.remove(order);
    if (order.isResting || order.isAwaiting) {
      order.isAwaiting = false;
      this.complete(order, 'CANCELLED', atMicros);
      return;
    }
    this.#listener({ kind: 'cancel-rejected', atMicros, order });
  }

  #rest(order: OwnOrder): void {
    this.of(order.side).add(order);
    order.isResting = true;
  }

  #rejectionOf(request: ModelRequest, atMicros: number): ModelRejection | undefined {
    const failed = failedTimeInForce(request) ?? failedLimit(request, this.#market);
    if (failed !== undefined) return failed;
    const mustRest = request.postOnly && request.stop === undefined;
    return mustRest && this.#model.wouldTrade(request, atMicros) ? 'would-take' : undefined;
  }
}
