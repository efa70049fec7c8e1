/**
 * The usual way: JSON, maps, decimal.js, and RxJS with three operators on every message. It does
 * the same work as {@link SpeedQuoter}, independently of all of `src/`, so it also judges its sums.
 */
import { Decimal } from 'decimal.js';
import { filter, map, Subject, tap } from 'rxjs';
import type { SpeedSums } from './speed-quoter.ts';
import {
  positionHard,
  positionMax,
  quoteDistance,
  quoteEvery,
  quoteVolume,
  speedRates,
  takeReach,
} from './speed-quoter.ts';

type Side = 'BID' | 'ASK';
type Order = {
  readonly id: string;
  readonly side: Side;
  readonly price: Decimal;
  readonly arrival: number;
  volume: Decimal;
  consumed: Decimal;
};
type Level = { readonly price: Decimal; volume: Decimal; readonly orders: Map<string, Order> };
type OwnOrder = {
  readonly price: Decimal;
  readonly arrival: number;
  readonly quote: number;
  left: Decimal;
  ahead: Decimal;
};
type Message = {
  readonly trade_updates: readonly { readonly base: string; readonly maker_order_id: string }[];
  readonly create_update: {
    readonly order_id: string;
    readonly type: Side;
    readonly price: string;
    readonly volume: string;
  } | null;
  readonly delete_update: { readonly order_id: string } | null;
};

const lotsPerUnit = new Decimal(1_000_000);
const quoteSize = new Decimal(quoteVolume).div(lotsPerUnit);
const hard = new Decimal(positionHard).div(lotsPerUnit);
const most = new Decimal(positionMax).div(lotsPerUnit);

const opposite = (side: Side): Side => (side === 'BID' ? 'ASK' : 'BID');

class DecimalBook {
  readonly orders = new Map<string, Order>();
  readonly #levels = { BID: new Map<string, Level>(), ASK: new Map<string, Level>() };
  /** The best last. */
  readonly sorted: { readonly BID: Level[]; readonly ASK: Level[] } = { BID: [], ASK: [] };

  best(side: Side): Level | undefined {
    return this.sorted[side].at(-1);
  }

  level(side: Side, price: Decimal): Level | undefined {
    return this.#levels[side].get(price.toString());
  }

  add(order: Order): void {
    const { side, price } = order;
    let level = this.level(side, price);
    if (level === undefined) {
      level = { price, volume: new Decimal(0), orders: new Map() };
      this.#levels[side].set(price.toString(), level);
      this.sorted[side].splice(this.#place(side, price), 0, level);
    }
    level.orders.set(order.id, order);
    level.volume = level.volume.plus(order.volume);
    this.orders.set(order.id, order);
  }

  reduce(order: Order, volume: Decimal): void {
    const { side, price } = order;
    const level = this.level(side, price) as Level;
    order.volume = order.volume.minus(volume);
    level.volume = level.volume.minus(volume);
    if (!order.volume.isZero()) return;
    level.orders.delete(order.id);
    this.orders.delete(order.id);
    if (level.orders.size > 0) return;
    this.#levels[side].delete(price.toString());
    this.sorted[side].splice(this.#place(side, price), 1);
  }

  #place(side: Side, price: Decimal): number {
    const levels = this.sorted[side];
    const sign = side === 'BID' ? 1 : -1;
    let low = 0;
    let high = levels.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((levels[middle] as Level).price.cmp(price) * sign < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

export class NaivePipeline {
  readonly #book = new DecimalBook();
  readonly #own: { readonly BID: OwnOrder[]; readonly ASK: OwnOrder[] } = { BID: [], ASK: [] };
  readonly #messages$ = new Subject<Message>();
  #arrival = 1;
  #messages = 0;
  #tops = 0;
  #makerFills = 0;
  #takerFills = 0;
  #position = new Decimal(0);
  #cash = new Decimal(0);
  #feeBase = new Decimal(0);
  #feeCounter = new Decimal(0);
  #ahead = new Decimal(0);

  constructor() {
    this.#messages$
      .pipe(
        filter((message) => message !== null),
        map((message) => {
          this.#apply(message);
          return { bid: this.#book.best('BID'), ask: this.#book.best('ASK') };
        }),
        tap(() => this.#messages++),
      )
      .subscribe(({ bid, ask }) => this.#look(bid, ask));
  }

  /** Takes one line of the exchange's. */
  take(line: string): void {
    this.#messages$.next(JSON.parse(line) as Message);
  }

  get sums(): SpeedSums {
    const units = (amount: Decimal, scale: number): string =>
      amount.times(new Decimal(10).pow(scale)).toFixed(0);
    return {
      messages: this.#messages,
      tops: this.#tops >>> 0,
      makerFills: this.#makerFills,
      takerFills: this.#takerFills,
      position: Number(units(this.#position, 6)),
      ahead: Number(units(this.#ahead, 6)),
      cash: units(this.#cash, 6),
      feeBase: units(this.#feeBase, 8),
      feeCounter: units(this.#feeCounter, 8),
    };
  }

  #apply(message: Message): void {
    for (const trade of message.trade_updates) {
      const maker = this.#book.orders.get(trade.maker_order_id) as Order;
      const volume = new Decimal(trade.base);
      this.#moveUp(maker, volume);
      this.#book.reduce(maker, volume);
      this.#share(maker, volume);
    }
    const { create_update: created, delete_update: deleted } = message;
    if (created !== null) {
      const order: Order = {
        id: created.order_id,
        side: created.type,
        price: new Decimal(created.price),
        volume: new Decimal(created.volume),
        consumed: new Decimal(0),
        arrival: this.#arrival++,
      };
      this.#book.add(order);
      this.#meet(order);
    }
    if (deleted !== null) {
      const order = this.#book.orders.get(deleted.order_id) as Order;
      this.#moveUp(order, order.volume);
      this.#book.reduce(order, order.volume);
    }
  }

  #moveUp(order: Order, volume: Decimal): void {
    for (const own of this.#own[order.side])
      if (own.price.eq(order.price) && order.arrival < own.arrival)
        own.ahead = own.ahead.minus(volume);
  }

  /** A trade belongs first to those of ours that stood before its maker. */
  #share({ side, price, arrival }: Order, volume: Decimal): void {
    let left = volume;
    for (let own = this.#own[side][0]; own !== undefined && left.gt(0); own = this.#own[side][0]) {
      const isThrough = side === 'BID' ? own.price.gt(price) : own.price.lt(price);
      if (!isThrough && !(own.price.eq(price) && own.arrival <= arrival)) return;
      const taken = Decimal.min(left, own.left);
      left = left.minus(taken);
      this.#fillMaker(side, own, taken);
    }
  }

  #meet(order: Order): void {
    const side = opposite(order.side);
    let left = order.volume;
    for (let own = this.#own[side][0]; own !== undefined && left.gt(0); own = this.#own[side][0]) {
      if (side === 'BID' ? order.price.gt(own.price) : order.price.lt(own.price)) return;
      const taken = Decimal.min(left, own.left);
      left = left.minus(taken);
      order.consumed = order.consumed.plus(taken);
      this.#fillMaker(side, own, taken);
    }
  }

  #fillMaker(side: Side, own: OwnOrder, volume: Decimal): void {
    this.#makerFills++;
    this.#ahead = this.#ahead.plus(own.ahead);
    own.left = own.left.minus(volume);
    this.#charge(side, own.price, volume, speedRates.maker);
    if (own.left.isZero()) this.#own[side].splice(this.#own[side].indexOf(own), 1);
  }

  #charge(side: Side, price: Decimal, volume: Decimal, rate: string): void {
    const value = price.times(volume);
    const sign = side === 'BID' ? 1 : -1;
    this.#position = this.#position.plus(volume.times(sign));
    this.#cash = this.#cash.minus(value.times(sign));
    const fee = (side === 'BID' ? volume : value).times(rate);
    const rounded = fee.toDecimalPlaces(8, Decimal.ROUND_HALF_UP);
    if (side === 'BID') this.#feeBase = this.#feeBase.plus(rounded);
    else this.#feeCounter = this.#feeCounter.plus(rounded);
  }

  #look(bid: Level | undefined, ask: Level | undefined): void {
    const lots = (level: Level | undefined): number =>
      level === undefined ? 0 : level.volume.times(lotsPerUnit).toNumber();
    const bidPrice = bid?.price.toNumber() ?? 0;
    const askPrice = ask?.price.toNumber() ?? 0;
    const volumes = 5 * lots(bid) + 7 * lots(ask);
    this.#tops = (Math.imul(this.#tops, 31) + bidPrice + 3 * askPrice + volumes) | 0;
    if (this.#messages % quoteEvery !== 0 || bid === undefined || ask === undefined) return;
    this.#quote(bid.price, ask.price);
  }

  #quote(bid: Decimal, ask: Decimal): void {
    const wanted = [bid, bid.minus(quoteDistance), ask, ask.plus(quoteDistance)];
    const isFar = this.#position.abs().gt(hard);
    for (const side of ['BID', 'ASK'] as const)
      for (const own of [...this.#own[side]]) {
        const isKept = own.price.eq(wanted[own.quote] as Decimal) && own.left.eq(quoteSize);
        if (isFar || !isKept) this.#own[side].splice(this.#own[side].indexOf(own), 1);
      }
    if (this.#position.gt(hard)) this.#take('ASK', bid.minus(takeReach), this.#position);
    else if (this.#position.lt(hard.negated()))
      this.#take('BID', ask.plus(takeReach), this.#position.negated());
    const quoted = new Set([...this.#own.BID, ...this.#own.ASK].map(({ quote }) => quote));
    for (const [quote, price] of wanted.entries()) {
      if (quoted.has(quote)) continue;
      const side = quote < 2 ? 'BID' : 'ASK';
      const position = side === 'BID' ? this.#position : this.#position.negated();
      if (position.lt(most)) this.#place(side, price, quote);
    }
  }

  #place(side: Side, price: Decimal, quote: number): void {
    const ahead = this.#book.level(side, price)?.volume ?? new Decimal(0);
    const order = { price, arrival: this.#arrival, quote, left: quoteSize, ahead };
    const own = this.#own[side];
    const index = own.findIndex((other) =>
      side === 'BID' ? price.gt(other.price) : price.lt(other.price),
    );
    own.splice(index === -1 ? own.length : index, 0, order);
  }

  #take(side: Side, limit: Decimal, volume: Decimal): void {
    let left = volume;
    const levels = this.#book.sorted[opposite(side)];
    for (let index = levels.length - 1; index >= 0 && left.gt(0); index--) {
      const { price, orders } = levels[index] as Level;
      if (side === 'BID' ? price.gt(limit) : price.lt(limit)) return;
      for (const order of orders.values()) {
        const taken = Decimal.min(left, order.volume.minus(order.consumed));
        if (taken.lte(0)) continue;
        order.consumed = order.consumed.plus(taken);
        left = left.minus(taken);
        this.#takerFills++;
        this.#charge(side, price, taken, speedRates.taker);
        if (left.isZero()) return;
      }
    }
  }
}
