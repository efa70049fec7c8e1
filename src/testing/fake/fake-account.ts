/**
 * The account of a test: the strategy's orders, position and money on its pairs, as the engine
 * would show them at an exchange that answers at once. An order rests until the test fills it or
 * the strategy cancels it; an IOC or FOK order ends when time passes. Fills are free.
 */
import {
  type Amount,
  amountOf,
  amountOfOrder,
  amountOfVolume,
  formatAmount,
  wholeLotsOf,
} from '../../domain/amount.ts';
import { decimalOfAmount } from '../../domain/amount-decimal.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { Intent, PairIntent } from '../../domain/intent.ts';
import type { Market, Side } from '../../domain/market.ts';
import type { Candle, Top } from '../../domain/market-view.ts';
import { Decimal, type Lots, type Ticks } from '../../domain/money.ts';
import { isFinal, type OrderState, type Terms } from '../../domain/order.ts';
import { addLots, lotsLeft, lotsOf, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import type { BookPrices } from '../../strategy/market/market-book.ts';
import type { MarketAccess } from '../../strategy/market-context.ts';
import type { Fill, OwnOrder, Position } from '../../strategy/own-views.ts';
import { QuotePlanner } from '../../strategy/quote-planner.ts';
import type { Bound } from '../../strategy/room.ts';

type QuoteIntent = Extract<Intent, { kind: 'quote' }>;

/** The money of the strategy on all its pairs. */
export class FakeMoney {
  readonly #amounts = new Map<string, Amount>();

  constructor(available: Readonly<Record<string, string>>) {
    for (const [currency, text] of Object.entries(available))
      this.#amounts.set(currency, amountOf(text));
  }

  add(currency: string, amount: Amount): void {
    this.#amounts.set(currency, this.of(currency) + amount);
  }

  of(currency: string): Amount {
    return this.#amounts.get(currency) ?? 0n;
  }
}

export class FakeMarket implements MarketAccess {
  readonly market: Market;
  readonly fees: { readonly maker: number; readonly taker: number };
  readonly history: readonly Candle[];
  #top: Top | undefined;
  #orders: readonly OwnOrder[] = Object.freeze([]);
  #held: Amount;
  #averagePrice: Decimal | undefined;
  #quote: QuoteIntent | undefined;
  /** Whether the orders may differ from the quote. */
  #isDirty = false;
  #made = 0;
  readonly #money: FakeMoney;
  readonly #planner = new QuotePlanner<OwnOrder>();
  readonly #usedKeys = new Set<string>();

  constructor(options: {
    readonly market: Market;
    readonly fees: { readonly maker: number; readonly taker: number };
    readonly history: readonly Candle[];
    readonly money: FakeMoney;
    readonly position: Lots;
    readonly averagePrice: Decimal | undefined;
  }) {
    this.market = options.market;
    this.fees = options.fees;
    this.history = options.history;
    this.#money = options.money;
    this.#held = amountOfVolume(options.position, options.market);
    this.#averagePrice = options.averagePrice;
  }

  top(): Top | undefined {
    return this.#top;
  }

  setTop(top: Top | undefined): void {
    this.#top = top;
  }

  book(): BookPrices | undefined {
    const top = this.#top;
    if (top === undefined) return undefined;
    const bestPrice = (side: Side): Ticks | undefined => (side === 'BID' ? top.bid : top.ask);
    return {
      bestPrice,
      volumeAt(side, price) {
        if (price !== bestPrice(side)) return noLots;
        return side === 'BID' ? top.bidVolume : top.askVolume;
      },
      priceAfter(side, price) {
        const best = bestPrice(side);
        if (best === undefined) return undefined;
        return (side === 'ASK' ? best > price : best < price) ? best : undefined;
      },
    };
  }

  position(): Position {
    const base = wholeLotsOf(this.#held, this.market);
    let [highest, lowest] = [base, base];
    for (const { terms, filled } of this.#orders) {
      const left = lotsLeft(terms.volume, filled);
      if (terms.side === 'BID') highest = addLots(highest, left);
      else lowest = subtractLots(lowest, left);
    }
    const averagePrice = this.#averagePrice;
    return Object.freeze({
      ...{ base, highest, lowest },
      ...(averagePrice === undefined ? {} : { averagePrice }),
    });
  }

  holding(): Decimal {
    return decimalOfAmount(this.#held);
  }

  isDust(): boolean {
    const smallest = amountOfVolume(this.market.volumeMin, this.market);
    return this.#held !== 0n && this.#held < smallest && this.#held > -smallest;
  }

  orders(): readonly OwnOrder[] {
    return this.#orders;
  }

  available(currency: string): Decimal {
    const left = this.#money.of(currency);
    return decimalOfAmount(left > 0n ? left : 0n);
  }

  bounds(side: Side): readonly Bound[] {
    const of = side === 'BID' ? 'counter' : 'base';
    return [{ name: 'the balance', of, left: this.#money.of(this.market[of]) }];
  }

  /** Executes an intent; returns the orders that changed. A quote waits for {@link plan}. */
  accept(intent: PairIntent): readonly OwnOrder[] {
    switch (intent.kind) {
      case 'quote':
        this.#quote = intent;
        this.#isDirty = true;
        return [];
      case 'idle':
        return [];
      case 'place':
        this.#usedKeys.add(intent.key);
        return [this.#open(intent.key, undefined, intent.terms, intent.expiresMs)];
      case 'cancel':
        return this.#end(({ key }) => key === intent.key);
      case 'cancelAll':
        this.#quote = undefined;
        return this.#end(() => true);
    }
  }

  /** Whether the strategy has placed an order of this key before. */
  hasUsed(key: string): boolean {
    return this.#usedKeys.has(key);
  }

  /** Ends the orders that never rest; returns them. */
  endTakers(): readonly OwnOrder[] {
    return this.#end(({ terms }) => (terms.timeInForce ?? 'GTC') !== 'GTC');
  }

  /** When the next order expires; Infinity if none does. */
  get nextExpiryMs(): number {
    return Math.min(...this.#orders.map(({ expiresMs = Number.POSITIVE_INFINITY }) => expiresMs));
  }

  /** Ends the orders that have expired; returns them. */
  endExpired(nowMs: number): readonly OwnOrder[] {
    return this.#end(({ expiresMs = Number.POSITIVE_INFINITY }) => expiresMs <= nowMs);
  }

  /** The strategy's order that a fill names. Throws {@link ConfigError} if it is not one. */
  orderOf(named: { readonly level?: string; readonly key?: string }): OwnOrder {
    const { level, key } = named;
    const found = this.#orders.filter(
      (order) =>
        (level === undefined || order.level === level) && (key === undefined || order.key === key),
    );
    const [order] = found;
    if (order !== undefined && found.length === 1) return order;
    const open = this.#orders.map((one) => `"${one.level ?? one.key}"`).join(', ') || 'none';
    throw new ConfigError(
      `a fill names ${found.length} orders by ${JSON.stringify(named)}; the open orders of ${this.market.pair} are ${open}`,
    );
  }

  /** Fills an order; returns the fill and the order as it is now. */
  fill(order: OwnOrder, price: Ticks, volume: Lots): readonly [Fill, OwnOrder] {
    const { key, level, terms } = order;
    const left = lotsLeft(terms.volume, order.filled);
    if (volume < 1 || volume > left)
      throw new ConfigError(
        `a fill of order "${level ?? key}" must be from 1 lot to the ${left} lots that are left, was ${volume}`,
      );
    this.#reserve(order, -1n);
    const sign = terms.side === 'BID' ? 1n : -1n;
    this.#price(price, sign * amountOfVolume(volume, this.market));
    this.#money.add(this.market.base, sign * amountOfVolume(volume, this.market));
    this.#money.add(this.market.counter, -sign * amountOfOrder(price, volume, this.market));
    const filled = addLots(order.filled, volume);
    const state: OrderState = filled === terms.volume ? 'filled' : 'open';
    // An order with a stop that trades was triggered.
    const triggered = order.awaiting === undefined ? {} : { awaiting: false };
    const now = Object.freeze({ ...order, filled, state, ...triggered });
    this.#reserve(now, 1n);
    this.#replace(
      this.#orders.flatMap((one) => (one !== order ? [one] : isFinal(state) ? [] : [now])),
    );
    const fill: Fill = {
      ...{ key, side: terms.side, price, volume, booked: true },
      ...(level === undefined ? {} : { level }),
    };
    this.#isDirty = true;
    return [fill, now];
  }

  /** Turns the orders into the quote; returns those that changed. A filled one is placed again. */
  plan(): readonly OwnOrder[] {
    const quote = this.#quote;
    if (!this.#isDirty || quote === undefined) return [];
    this.#isDirty = false;
    const { orders, toleranceTicks = 0 } = quote;
    const changed: OwnOrder[] = [];
    this.#planner.make(orders, toleranceTicks, this.#orders);
    const cancelled = new Set(this.#planner.cancels);
    if (cancelled.size > 0) {
      changed.push(...this.#end((order) => cancelled.has(order)));
      this.#planner.make(orders, toleranceTicks, this.#orders);
    }
    for (const { level, ...terms } of this.#planner.places)
      changed.push(this.#open(`${level}.${++this.#made}`, level, terms));
    return changed;
  }

  #open(key: string, level: string | undefined, terms: Terms, expiresMs?: number): OwnOrder {
    const order: OwnOrder = Object.freeze({
      ...{ key, terms: Object.freeze(terms), filled: noLots, cancelling: false },
      state: 'open',
      ...(level === undefined ? {} : { level }),
      ...(terms.stop === undefined ? {} : { awaiting: true }),
      ...(expiresMs === undefined ? {} : { expiresMs }),
    });
    this.#reserve(order, 1n);
    this.#replace([...this.#orders, order]);
    return order;
  }

  #end(isEnding: (order: OwnOrder) => boolean): readonly OwnOrder[] {
    const ended = this.#orders.filter(isEnding);
    for (const order of ended) this.#reserve(order, -1n);
    if (ended.length > 0) this.#replace(this.#orders.filter((order) => !ended.includes(order)));
    return ended.map((order) => Object.freeze({ ...order, state: 'cancelled' as const }));
  }

  #replace(orders: readonly OwnOrder[]): void {
    this.#orders = Object.freeze(orders);
  }

  /** Takes what is left of an order from the money, or gives it back. */
  #reserve({ terms, filled, state }: OwnOrder, sign: 1n | -1n): void {
    if (isFinal(state)) return;
    const left = lotsLeft(terms.volume, filled);
    const { base, counter } = this.market;
    if (terms.side === 'ASK') this.#money.add(base, -sign * amountOfVolume(left, this.market));
    else this.#money.add(counter, -sign * amountOfOrder(terms.price, left, this.market));
  }

  /** Moves the position, and its average price as a trader counts it. */
  #price(price: Ticks, change: Amount): void {
    const before = this.#held;
    const after = before + change;
    this.#held = after;
    const paid = new Decimal(price).div(new Decimal(10).pow(this.market.priceScale));
    const grows = before === 0n || before > 0n === change > 0n;
    const turns = before !== 0n && after !== 0n && before > 0n !== after > 0n;
    if (after === 0n) this.#averagePrice = undefined;
    else if (before === 0n || turns) this.#averagePrice = paid;
    else if (grows && this.#averagePrice !== undefined)
      this.#averagePrice = this.#averagePrice
        .times(formatAmount(before))
        .plus(paid.times(formatAmount(change)))
        .div(formatAmount(after));
  }
}

/** The lots that are left of an order, for a fill of all of them. */
export function leftOf({ terms, filled }: OwnOrder): Lots {
  return lotsOf(terms.volume - filled);
}
