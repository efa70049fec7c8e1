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
  amountScale,
  formatAmount,
  type Sums,
  wholeLotsOf,
} from '../../domain/amount.ts';
import { decimalOfAmount } from '../../domain/amount-decimal.ts';
import { ConfigError } from '../../domain/errors.ts';
import type { PairIntent } from '../../domain/intent.ts';
import type { Market, Side } from '../../domain/market.ts';
import { countedTermsOf } from '../../domain/market-order.ts';
import type { Candle, Top } from '../../domain/market-view.ts';
import type { Decimal, Lots, Ticks } from '../../domain/money.ts';
import { isFinal, isMarketTerms, type OrderState, type OwnTerms } from '../../domain/order.ts';
import { isUnderPart } from '../../domain/part-name.ts';
import { addLots, lotsLeft, lotsOf, noLots, subtractLots } from '../../domain/ticks-and-lots.ts';
import { StrategyAccount } from '../../engine/account/strategy-account.ts';
import { Positions } from '../../execution/fills/positions.ts';
import { addSums, noSums } from '../../execution/orders/sums.ts';
import { AverageCost } from '../../risk/average-cost.ts';
import { PlacedOrders } from '../../strategy/account/placed-orders.ts';
import { RecentFills } from '../../strategy/account/recent-fills.ts';
import { noFees, tradedOf } from '../../strategy/account/traded.ts';
import type { BookPrices } from '../../strategy/market/market-book.ts';
import type { MarketAccess } from '../../strategy/market-context.ts';
import type { Fill, OwnOrder, Position } from '../../strategy/own-views.ts';
import { type CrossedOrder, WantedQuotes } from '../../strategy/parts/wanted-quotes.ts';
import { QuotePlanner } from '../../strategy/quote-planner.ts';
import type { Bound } from '../../strategy/room.ts';

type OrderOrigin = {
  readonly key: string;
  readonly level?: string | undefined;
  readonly tag?: string | undefined;
  readonly expiresMs?: number | undefined;
};

/** The money of the strategy on all its pairs. */
export class FakeMoney {
  /** What is free, and what orders hold. */
  readonly #amounts = new Map<string, Amount>();
  readonly #reserved = new Map<string, Amount>();

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

  /** Moves an amount from what is free to what orders hold, or back if it is negative. */
  reserve(currency: string, amount: Amount): void {
    this.add(currency, -amount);
    this.#reserved.set(currency, this.reserved(currency) + amount);
  }

  reserved(currency: string): Amount {
    return this.#reserved.get(currency) ?? 0n;
  }
}

export class FakeMarket implements MarketAccess {
  readonly market: Market;
  readonly fees: { readonly maker: number; readonly taker: number };
  readonly history: readonly Candle[];
  #top: Top | undefined;
  #orders: readonly OwnOrder[] = Object.freeze([]);
  #held: Amount;
  #average = new AverageCost();
  readonly #quotes = new WantedQuotes();
  /** Whether the orders may differ from the quote. */
  #isDirty = false;
  #made = 0;
  readonly #money: FakeMoney;
  readonly #planner = new QuotePlanner<OwnOrder>();
  readonly account: StrategyAccount;
  readonly #positions = new Positions();
  readonly #recent = new RecentFills();
  readonly #placed = new PlacedOrders();
  readonly #usedKeys = new Set<string>();
  /** By key. */
  readonly #tags = new Map<string, string>();
  /** What the orders with fills have traded. */
  readonly #traded = new WeakMap<OwnOrder, Sums>();
  #fills = 0;

  constructor(options: {
    readonly market: Market;
    readonly fees: { readonly maker: number; readonly taker: number };
    readonly history: readonly Candle[];
    readonly money: FakeMoney;
    readonly position: Lots;
    readonly averagePrice: Decimal | undefined;
    readonly startMs: number;
  }) {
    this.market = options.market;
    this.fees = options.fees;
    this.history = options.history;
    this.#money = options.money;
    this.#held = amountOfVolume(options.position, options.market);
    this.#begin(options.averagePrice);
    this.account = this.#makeAccount(options.startMs);
  }

  /** Counts the position as one that the strategy bought or sold before the start. */
  #begin(averagePrice: Decimal | undefined): void {
    const held = this.#held;
    if (held === 0n) return;
    const paid = averagePrice?.times(formatAmount(held)).toDecimalPlaces(amountScale);
    const cost = paid === undefined ? 0n : amountOf(paid.toFixed());
    if (paid !== undefined) this.#average = new AverageCost(held, cost);
    const isLong = held > 0n;
    const sums = { base: isLong ? held : -held, counter: isLong ? cost : -cost };
    const { pair } = this.market;
    this.#positions.add('', pair, isLong ? 'BID' : 'ASK', { ...noSums, ...sums }, 0);
  }

  #makeAccount(atMs: number): StrategyAccount {
    const { market } = this;
    const money = this.#money;
    return new StrategyAccount({
      ...{ market, fills: this.#recent, placed: this.#placed },
      holding: () => this.#positions.holding('', market.pair),
      costOf: (held) => (held === 0n ? 0n : this.#average.costOf(held)),
      top: () => this.#top,
      orders: () => this.#orders,
      balance: (currency) => {
        const free = money.of(currency);
        return { total: free + money.reserved(currency), free, atMs };
      },
    });
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
    const averagePrice = this.#average.priceOf(this.#held);
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
        this.#quotes.set(intent);
        this.#isDirty = true;
        return [];
      case 'idle':
        return [];
      case 'place':
        this.#usedKeys.add(intent.key);
        this.#placed.add(intent.key);
        return this.#place(intent);
      case 'cancel':
        return this.#end(({ key }) => key === intent.key);
      case 'cancelAll': {
        const { part } = intent;
        this.#quotes.end(part);
        this.#isDirty = true;
        return this.#end(({ key }) => part === undefined || isUnderPart(key, part));
      }
    }
  }

  /** Without a book a market order is refused, as by the gate. */
  #place(intent: Extract<PairIntent, { kind: 'place' }>): readonly OwnOrder[] {
    const { terms } = intent;
    if (!isMarketTerms(terms)) return [this.#open(intent, terms)];
    const price = this.marketPrice(terms.side);
    return price === undefined
      ? []
      : [this.#open(intent, countedTermsOf(terms, price, this.market))];
  }

  /** The other side's best price: no collar is known here. */
  marketPrice(side: Side): Ticks | undefined {
    return side === 'BID' ? this.#top?.ask : this.#top?.bid;
  }

  /** The orders of its quotes that would trade with those of another part. */
  get crossed(): readonly CrossedOrder[] {
    return this.#quotes.crossed;
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
  fill(order: OwnOrder, price: Ticks, volume: Lots, atMs: number): readonly [Fill, OwnOrder] {
    const { key, level, terms } = order;
    const left = lotsLeft(terms.volume, order.filled);
    if (volume < 1 || volume > left)
      throw new ConfigError(
        `a fill of order "${level ?? key}" must be from 1 lot to the ${left} lots that are left, was ${volume}`,
      );
    this.#reserve(order, -1n);
    const sums = this.#count(terms.side, price, volume);
    const filled = addLots(order.filled, volume);
    const state: OrderState = filled === terms.volume ? 'filled' : 'open';
    const traded = addSums(this.#traded.get(order) ?? noSums, sums);
    const booked = tradedOf(traded, this.market);
    // An order with a stop that trades was triggered.
    const triggered = order.awaiting === undefined ? {} : { awaiting: false };
    const now = Object.freeze({ ...order, filled, booked, state, ...triggered });
    this.#traded.set(now, traded);
    if (level === undefined) this.#placed.note(key, this.market.pair, traded);
    this.#reserve(now, 1n);
    this.#replace(
      this.#orders.flatMap((one) => (one !== order ? [one] : isFinal(state) ? [] : [now])),
    );
    const tag = this.#tags.get(key);
    const fill: Fill = Object.freeze({
      ...{ key, side: terms.side, price, volume, fees: noFees, atMs, booked: true },
      ...(level === undefined ? {} : { level }),
      ...(tag === undefined ? {} : { tag }),
    });
    this.#recent.add(fill, String(++this.#fills), atMs);
    this.#isDirty = true;
    return [fill, now];
  }

  /** Counts a fill in money, position and totals; returns its sums. */
  #count(side: Side, price: Ticks, volume: Lots): Sums {
    const { market } = this;
    const base = amountOfVolume(volume, market);
    const counter = amountOfOrder(price, volume, market);
    const sign = side === 'BID' ? 1n : -1n;
    this.#money.add(market.base, sign * base);
    this.#money.add(market.counter, -sign * counter);
    this.#held += sign * base;
    this.#average.add({ traded: sign * base, base: sign * base, counter: -sign * counter });
    // A position of which nothing was known is over.
    if (this.#held === 0n) this.#average = new AverageCost();
    const sums = { ...noSums, base, counter };
    this.#positions.add('', market.pair, side, sums);
    return sums;
  }

  /** Turns the orders into the quote; returns those that changed. A filled one is placed again. */
  plan(): readonly OwnOrder[] {
    const { wanted, parts } = this.#quotes;
    if (!this.#isDirty || wanted === undefined) return [];
    this.#isDirty = false;
    const { orders, toleranceTicks = 0 } = wanted;
    const changed: OwnOrder[] = [];
    this.#planner.make(orders, toleranceTicks, this.#orders, parts);
    const cancelled = new Set(this.#planner.cancels);
    if (cancelled.size > 0) {
      changed.push(...this.#end((order) => cancelled.has(order)));
      this.#planner.make(orders, toleranceTicks, this.#orders, parts);
    }
    for (const { level, tag, ...terms } of this.#planner.places)
      changed.push(this.#open({ key: `${level}.${++this.#made}`, level, tag }, terms));
    return changed;
  }

  #open({ key, level, tag, expiresMs }: OrderOrigin, terms: OwnTerms): OwnOrder {
    if (tag !== undefined) this.#tags.set(key, tag);
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
    if (terms.side === 'ASK') this.#money.reserve(base, sign * amountOfVolume(left, this.market));
    else this.#money.reserve(counter, sign * amountOfOrder(terms.price, left, this.market));
  }
}

/** The lots that are left of an order, for a fill of all of them. */
export function leftOf({ terms, filled }: OwnOrder): Lots {
  return lotsOf(terms.volume - filled);
}
