/**
 * The exchange of a recording of candles: of each bar four prices and a volume are known, and not
 * when. Whatever happens within a bar is decided when it ends, and against us.
 *
 *   - Our orders together get no more than a stated share of the bar's volume: first those that
 *     take, then those that rest, by price, then time.
 *   - A resting order fills at its limit if the bar trades strictly beyond it. If it came, or its
 *     cancel came, within the bar, it fills only if that loses by the close.
 *   - If orders of both sides would fill, only the side fills that is worse off by the close.
 *   - An order that meets the made-up best price takes: at the worst price of the bar in which it
 *     came and the made-up half spread on top; where its limit is nearer, at its limit if that
 *     loses by the close, else not. What is left rests from the next bar on, or is cancelled.
 *   - A cancel that comes within a bar is done at its end. An interval without a bar fills nothing.
 *
 * An order that comes at the very end of a bar is there for the whole next one.
 *
 * Its history is a synthetic flow: a message at the end of each bar, with the bar's prices as
 * trades of no order, and in slots the two made-up orders.
 */
import { type MarketStatus, opposite, type Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { Book } from '../../market/book/book.ts';
import { applyFlow, loadResting } from '../../market/book/flow-columns-book.ts';
import { type RestingBlock, rowKind } from '../../market/flow/flow-block.ts';
import type { FlowCursor } from '../../market/flow/flow-cursor.ts';
import { type Bar, fillsResting, shared, takerPrice, wonBy } from './bar.ts';
import { meets, meetsBook } from './crossing.ts';
import type { ModelRequest } from './fill-event.ts';
import type { FillIntervals, FillModel } from './fill-model.ts';
import type { FillModelOptions } from './fill-model-options.ts';
import { GapPlaces } from './gap-places.ts';
import type { OwnOrder } from './own-order.ts';
import { OwnOrders } from './own-orders.ts';
import { refuseRows, type VolumeShare, volumeOfShare } from './volume-share.ts';

export type CandlesOptions = VolumeShare & {
  readonly halfSpread: Ticks;
  readonly intervalMicros: number;
};

export class BarFillModel implements FillModel, FillIntervals {
  readonly book = new Book();
  /** Nothing says otherwise. */
  status: MarketStatus = 'ACTIVE';
  readonly gaps = new GapPlaces(this.book, () => []);
  readonly #own: OwnOrders;
  readonly #options: CandlesOptions;
  /** Orders that take, until their bar has ended. */
  readonly #takers = new Map<OwnOrder, ModelRequest['timeInForce']>();
  /** When the cancel of each order came that waits for the end of its bar. */
  readonly #cancels = new Map<OwnOrder, number>();
  /** When the last interval ended; undefined before the first bar and when history is over. */
  #lastMicros: number | undefined;
  #dueMicros = Infinity;
  /** Of the message that is coming in. */
  #prints: { readonly price: Ticks; readonly volume: number }[] = [];

  constructor(options: FillModelOptions, candles: CandlesOptions) {
    this.#own = new OwnOrders(
      options,
      (request) => this.#meetsOwn(request) || meetsBook(request, this.book),
    );
    this.#options = candles;
  }

  get counts() {
    return this.#own.counts;
  }

  get intervals(): FillIntervals {
    return this;
  }

  get dueMicros(): number {
    return this.#dueMicros;
  }

  bestOwnPrice(side: Side): Ticks | undefined {
    return this.#own.of(side).best?.price;
  }

  /** Always undefined: candles say nothing of a queue. */
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
    if (row.kind === rowKind.trade) {
      this.#own.countTrade();
      this.#prints.push({ price: row.price as Ticks, volume: row.volume });
    } else if (row.kind === rowKind.candle) {
      // A bar of few lots: its trades do not show how far it went.
      const [, high, low] = row.candle();
      for (const price of [high, low]) this.#prints.push({ price: price as Ticks, volume: 0 });
    } else applyFlow(this.book, row);
    if (!row.endsMessage) return;
    const prints = this.#prints;
    this.#prints = [];
    this.#endInterval(row.atMicros, this.#barOf(prints, row.atMicros));
  }

  place(request: ModelRequest, atMicros: number): void {
    const own = this.#own;
    const meetsOwn = this.#meetsOwn(request);
    const order = own.accept(request, atMicros);
    if (order === undefined) return;
    const { timeInForce } = request;
    if (meetsOwn) own.complete(order, 'SELF_TRADE', atMicros);
    else if (this.#lastMicros !== undefined && meetsBook(order, this.book)) {
      this.#takers.set(order, timeInForce);
      this.#wait(atMicros);
    } else if (timeInForce === 'GTC') own.rest(order);
    else own.complete(order, unfilledReason(timeInForce), atMicros);
  }

  cancel(order: OwnOrder, atMicros: number): void {
    if (!this.#takers.has(order) && !order.isResting) this.#own.refuseCancel(order, atMicros);
    else if (!this.#cancels.has(order)) {
      this.#cancels.set(order, atMicros);
      // The next bar begins a microsecond after the last one was told, at the earliest.
      const isBetween = this.#lastMicros === undefined || atMicros <= this.#lastMicros + 1;
      if (isBetween) this.#finishCancels(atMicros, atMicros);
      else this.#wait(atMicros);
    }
  }

  pass(atMicros: number): void {
    this.#endInterval(atMicros, undefined);
  }

  end(atMicros: number): void {
    this.#endInterval(atMicros, undefined);
    this.#lastMicros = undefined;
  }

  /** Something waits from `atMicros` for the end of its interval; bars follow on the last one. */
  #wait(atMicros: number): void {
    const { intervalMicros } = this.#options;
    const last = this.#lastMicros ?? atMicros;
    const intervals = Math.max(1, Math.ceil((atMicros - last) / intervalMicros));
    this.#dueMicros = Math.min(this.#dueMicros, last + intervals * intervalMicros);
  }

  /** The bar that the prints of a message are; undefined if nothing was traded. */
  #barOf(
    prints: readonly { readonly price: Ticks; readonly volume: number }[],
    endMicros: number,
  ): Bar | undefined {
    const close = prints.at(-1)?.price;
    if (close === undefined) return undefined;
    let [high, low, volume] = [close, close, 0];
    for (const print of prints) {
      if (print.price > high) high = print.price;
      if (print.price < low) low = print.price;
      volume += print.volume;
    }
    // It is told in its last microsecond.
    const startMicros = endMicros + 1 - this.#options.intervalMicros;
    return { startMicros, endMicros, high, low, close, volume: volume as Lots };
  }

  #endInterval(atMicros: number, bar: Bar | undefined): void {
    if (bar !== undefined) {
      this.#finishCancels(bar.startMicros, atMicros);
      const budget = volumeOfShare(bar.volume, this.#options);
      this.#fillResting(bar, budget - this.#fillTakers(bar, budget));
    }
    const takers = [...this.#takers];
    this.#takers.clear();
    for (const [order, timeInForce] of takers)
      if (timeInForce === 'GTC') this.#own.rest(order);
      else this.#own.complete(order, unfilledReason(timeInForce), atMicros);
    this.#finishCancels(Infinity, atMicros);
    this.#lastMicros = atMicros;
    this.#dueMicros = Infinity;
  }

  /** Ends the orders whose cancel came no later than `untilMicros`. */
  #finishCancels(untilMicros: number, atMicros: number): void {
    for (const [order, cancelMicros] of this.#cancels) {
      if (cancelMicros > untilMicros) continue;
      this.#cancels.delete(order);
      const isPending = this.#takers.delete(order) || order.isResting;
      if (isPending) this.#own.complete(order, 'CANCELLED', atMicros);
    }
  }

  /** Returns how much of `budget` they took. */
  #fillTakers(bar: Bar, budget: Lots): number {
    let left: number = budget;
    for (const [order, timeInForce] of this.#takers) {
      const price = takerPrice(order, bar, this.#options.halfSpread);
      const volume = Math.min(left, order.remaining) as Lots;
      const isTooLittle = timeInForce === 'FOK' && volume < order.remaining;
      if (price === undefined || volume === 0 || isTooLittle) continue;
      left -= volume;
      this.#own.fill(order, volume, price, false, bar.endMicros);
      if (order.remaining === 0) this.#takers.delete(order);
    }
    return budget - left;
  }

  #fillResting(bar: Bar, budget: number): void {
    const fillsOf = (side: Side) =>
      shared(
        this.#own
          .of(side)
          .orders.filter((order) => fillsResting(order, bar, this.#cancels.has(order))),
        budget,
      );
    const [bids, asks] = [fillsOf('BID'), fillsOf('ASK')];
    const isBid = asks.length === 0 || (bids.length > 0 && wonBy(bids, bar) <= wonBy(asks, bar));
    for (const { order, volume } of isBid ? bids : asks) {
      const { price } = order;
      this.#own.fill(order, volume, price, true, bar.endMicros);
    }
  }

  /** Whether the request meets an order of ours that nobody has asked to cancel. */
  #meetsOwn(request: ModelRequest): boolean {
    const side = opposite(request.side);
    return [...this.#own.of(side).orders, ...this.#takers.keys()].some(
      (order) => order.side === side && !this.#cancels.has(order) && meets(request, order.price),
    );
  }
}

function unfilledReason(timeInForce: ModelRequest['timeInForce']) {
  return timeInForce === 'FOK' ? 'FILL_OR_KILL' : 'IMMEDIATE_OR_CANCEL';
}
