/**
 * Fills over a recording of candles. A bar has four prices and a volume, but not their times, so
 * everything within a bar is decided at its end, and against us.
 *
 *   - All our orders together get at most the given share of the bar's volume: first takers, then
 *     resting orders by price, then time.
 *   - A resting order fills at its limit if the bar trades strictly beyond it. If the order or its
 *     cancel arrived within the bar, it fills only if the fill loses by the close.
 *   - If orders on both sides would fill, only the side that is worse off by the close fills.
 *   - An order that crosses the synthetic best price is a taker. It pays the worst price of the bar
 *     in which it arrived, plus the half spread; if its limit is closer, it fills at its limit if
 *     the fill loses by the close, otherwise not at all. The rest of the order rests from the next
 *     bar on or is cancelled.
 *   - A cancel within a bar takes effect at its end. An interval without a bar fills nothing.
 *
 * An order that arrives exactly at the end of a bar counts for the whole next bar.
 */
import { opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { minLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { meets, meetsBook } from '../../exchange-accounts/order-crossing.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import type { TimeSpan } from '../../market/flow/time-spans.ts';
import { type Bar, fillsResting, gainOf, shared, takerPrice } from './bar.ts';
import type { ArrivingTerms, FillIntervals, FillModel } from './fill-model.ts';
import type { OwnOrder } from './own-order.ts';
import type { OwnOrders } from './own-orders.ts';
import type { QuoteHistory } from './quote-history.ts';
import { type VolumeShare, volumeOfShare } from './volume-share.ts';

export type BarModelOptions = VolumeShare & {
  readonly halfSpread: Ticks;
  readonly intervalMicros: number;
  /** The bars that may last longer than the interval; by default none. */
  readonly longBars?: { longBarAt(atMicros: number): TimeSpan | undefined };
};

const noOrders: readonly OwnOrder[] = [];

export class BarFillModel implements FillModel, FillIntervals {
  readonly #own: OwnOrders;
  readonly #book: QuoteHistory['book'];
  readonly #options: BarModelOptions;
  /** Taker orders, oldest first, until their bar has ended. A list: rarely more than one waits. */
  #takers: readonly OwnOrder[] = noOrders;
  /** The arrival time of each cancel that waits for the end of its bar. */
  readonly #cancels = new Map<OwnOrder, number>();
  /**
   * The end of the last interval; not a number before the first bar and after the end of history.
   * V8 stores it in place, where undefined would make each bar allocate a number.
   */
  #lastMicros = Number.NaN;
  #dueMicros = Infinity;

  constructor(own: OwnOrders, history: QuoteHistory, options: BarModelOptions) {
    this.#own = own;
    this.#book = history.book;
    this.#options = options;
  }

  get intervals(): FillIntervals {
    return this;
  }

  get dueMicros(): number {
    return this.#dueMicros;
  }

  row(row: FlowCursor): void {
    if (this.#hasOrders()) this.#decide(row.atMicros, this.#barOf(row));
    this.#noteEnd(row.atMicros);
  }

  wouldTrade(order: ArrivingTerms): boolean {
    return this.#meetsOwn(order) || meetsBook(order, this.#book);
  }

  /** Returns whether an order crosses one of ours that is not being cancelled. */
  #meetsOwn(arriving: ArrivingTerms): boolean {
    const side = opposite(arriving.side);
    const isMet = (order: OwnOrder): boolean =>
      order.side === side && !this.#cancels.has(order) && meets(arriving, order.price);
    const resting = this.#own.of(side);
    return this.#takers.some(isMet) || (resting.best !== undefined && resting.all.some(isMet));
  }

  place(order: OwnOrder, atMicros: number): void {
    const own = this.#own;
    if (this.#meetsOwn(order)) own.complete(order, 'SELF_TRADE', atMicros);
    else if (!Number.isNaN(this.#lastMicros) && meetsBook(order, this.#book)) {
      this.#takers = [...this.#takers, order];
      this.#wait(atMicros);
    } else own.restOrCancel(order, atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    // For a finished order, this reports immediately that it is not pending.
    if (!this.#isPending(order)) this.#own.cancel(order, atMicros);
    else if (!this.#cancels.has(order)) {
      this.#cancels.set(order, atMicros);
      // The next bar begins at least a microsecond after the last one was reported.
      const isWithin = atMicros > this.#lastMicros + 1;
      if (!isWithin) this.#finishCancels(atMicros, atMicros);
      else this.#wait(atMicros);
    }
  }

  /** Always undefined: the data contain no queue. */
  aheadOf(): undefined {
    return undefined;
  }

  pass(atMicros: number): void {
    this.#endQuiet(atMicros);
  }

  end(atMicros: number): void {
    this.#endQuiet(atMicros);
    this.#lastMicros = Number.NaN;
  }

  #isPending(order: OwnOrder): boolean {
    return this.#takers.includes(order) || order.isResting;
  }

  /** Makes the end of the interval that contains `atMicros` due, counted from the last end. */
  #wait(atMicros: number): void {
    const { intervalMicros } = this.#options;
    const last = Number.isNaN(this.#lastMicros) ? atMicros : this.#lastMicros;
    const intervals = Math.max(1, Math.ceil((atMicros - last) / intervalMicros));
    const endMicros = last + intervals * intervalMicros;
    const longEndMicros = this.#longBarAt(endMicros)?.toMicros ?? endMicros;
    this.#dueMicros = Math.min(this.#dueMicros, longEndMicros);
  }

  /** Returns the bar at the cursor; undefined if nothing was traded. */
  #barOf({ atMicros, high, low, close, traded }: FlowCursor): Bar | undefined {
    if (traded === 0) return undefined;
    // It is reported in its last microsecond.
    const startMicros =
      this.#longBarAt(atMicros)?.fromMicros ?? atMicros + 1 - this.#options.intervalMicros;
    return { startMicros, endMicros: atMicros, high, low, close, volume: traded };
  }

  #longBarAt(atMicros: number): TimeSpan | undefined {
    return this.#options.longBars?.longBarAt(atMicros);
  }

  /** Ends an interval in which history had no bar. */
  #endQuiet(atMicros: number): void {
    if (this.#hasOrders()) this.#decide(atMicros, undefined);
    this.#noteEnd(atMicros);
  }

  #noteEnd(atMicros: number): void {
    this.#lastMicros = atMicros;
    this.#dueMicros = Infinity;
  }

  #hasOrders(): boolean {
    const own = this.#own;
    if (own.bids.best !== undefined || own.asks.best !== undefined) return true;
    return this.#takers.length > 0 || this.#cancels.size > 0;
  }

  /** Decides the fills and cancels of an interval. */
  #decide(atMicros: number, bar: Bar | undefined): void {
    if (bar !== undefined) {
      this.#finishCancels(bar.startMicros, atMicros);
      const budget = volumeOfShare(bar.volume, this.#options);
      this.#fillResting(bar, this.#fillTakers(bar, budget));
    }
    const takers = this.#takers;
    this.#takers = noOrders;
    for (const order of takers) this.#own.restOrCancel(order, atMicros);
    this.#finishCancels(Infinity, atMicros);
  }

  /** Cancels the orders whose cancel arrived at `untilMicros` or earlier. */
  #finishCancels(untilMicros: number, atMicros: number): void {
    for (const [order, cancelMicros] of this.#cancels) {
      if (cancelMicros > untilMicros) continue;
      this.#cancels.delete(order);
      if (!this.#isPending(order)) continue;
      this.#removeTaker(order);
      this.#own.complete(order, 'CANCELLED', atMicros);
    }
  }

  /** Fills takers from `budget`; returns the rest of it. */
  #fillTakers(bar: Bar, budget: Lots): Lots {
    let left = budget;
    for (const order of this.#takers) {
      const price = takerPrice(order, bar, this.#options.halfSpread);
      if (price === undefined) continue;
      const volume = minLots(left, order.wantedAt(price));
      const isTooLittle = order.timeInForce === 'FOK' && volume < order.remaining;
      if (volume === 0 || isTooLittle) continue;
      left = subtractLots(left, volume);
      this.#own.fill(order, volume, price, false, bar.endMicros);
      if (order.remaining === 0) this.#removeTaker(order);
    }
    return left;
  }

  #removeTaker(order: OwnOrder): void {
    const left = this.#takers.filter((taker) => taker !== order);
    this.#takers = left.length > 0 ? left : noOrders;
  }

  #fillResting(bar: Bar, budget: Lots): void {
    const own = this.#own;
    if (own.bids.best === undefined && own.asks.best === undefined) return;
    const fillsOf = (side: Side) =>
      shared(
        own.of(side).all.filter((order) => fillsResting(order, bar, this.#cancels.has(order))),
        budget,
      );
    const [bids, asks] = [fillsOf('BID'), fillsOf('ASK')];
    const isBid = asks.length === 0 || (bids.length > 0 && gainOf(bids, bar) <= gainOf(asks, bar));
    for (const { order, volume } of isBid ? bids : asks)
      own.fillMaker(order, volume, bar.endMicros);
  }
}
