/**
 * Our orders that may exist, pair by pair, for questions about single ones: would a new order meet
 * one of ours, is one like it there already?
 *
 * Invariant: an order is here from its approval until it is proven to be over.
 */
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';

export type HeldOrder = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export type OpenOrder = HeldOrder & {
  readonly placedMs: number;
  /** Fills of the strategy on the pair when it was placed. */
  readonly fillsBefore: number;
  /** It is being cancelled. */
  isWithdrawn: boolean;
};

/** Ours on one pair. */
export type PairOrders = {
  readonly byId: Map<string, OpenOrder>;
  /** The best prices of ours; infinite where there is none. */
  highestBid: number;
  lowestAsk: number;
};

const none: ReadonlyMap<string, OpenOrder> = new Map();

export class OpenOrders {
  readonly #pairs = new Map<string, PairOrders>();
  /** Fills of each strategy on each pair. */
  readonly #fills = new Map<string, number>();

  add(id: string, order: HeldOrder, placedMs: number): void {
    const orders = this.at(order.pair);
    const { strategyId, pair, side, price, volume } = order;
    const fillsBefore = this.#fillsOf(strategyId, pair);
    const terms = { strategyId, pair, side, price, volume };
    orders.byId.set(id, { ...terms, placedMs, fillsBefore, isWithdrawn: false });
    findBest(orders);
  }

  withdraw(id: string, pair: string): void {
    const order = this.#pairs.get(pair)?.byId.get(id);
    if (order !== undefined) order.isWithdrawn = true;
  }

  remove(id: string, pair: string): void {
    const orders = this.#pairs.get(pair);
    if (orders === undefined) return;
    orders.byId.delete(id);
    findBest(orders);
  }

  noteFill(strategyId: string, pair: string): void {
    this.#fills.set(`${strategyId}|${pair}`, this.#fillsOf(strategyId, pair) + 1);
  }

  /** Returns ours on `pair`, to be looked at again and again. */
  at(pair: string): PairOrders {
    let orders = this.#pairs.get(pair);
    if (orders === undefined) {
      orders = noOrders();
      this.#pairs.set(pair, orders);
    }
    return orders;
  }

  /** The best price of ours that an order of `side` could meet; infinite if there is none. */
  facing(side: Side, pair: string): number {
    const orders = this.#pairs.get(pair);
    if (side === 'BID') return orders?.lowestAsk ?? Number.POSITIVE_INFINITY;
    return orders?.highestBid ?? Number.NEGATIVE_INFINITY;
  }

  /** Every order of ours on `pair` by its id. */
  of(pair: string): ReadonlyMap<string, OpenOrder> {
    return this.#pairs.get(pair)?.byId ?? none;
  }

  /**
   * Returns how many orders like `order` may rest that were placed within the span, since when
   * nothing of the strategy was filled on the pair. One that is being cancelled is not counted.
   */
  alike(order: HeldOrder, nowMs: number, withinMs: number): number {
    const orders = this.#pairs.get(order.pair);
    if (orders === undefined) return 0;
    let count = 0;
    for (const other of orders.byId.values()) {
      if (other.price !== order.price || other.volume !== order.volume) continue;
      if (other.side !== order.side || other.strategyId !== order.strategyId) continue;
      if (other.isWithdrawn || other.placedMs <= nowMs - withinMs) continue;
      if (other.fillsBefore === this.#fillsOf(order.strategyId, order.pair)) count++;
    }
    return count;
  }

  #fillsOf(strategyId: string, pair: string): number {
    return this.#fills.get(`${strategyId}|${pair}`) ?? 0;
  }
}

/** Returns a pair without an order of ours. */
export function noOrders(): PairOrders {
  return {
    byId: new Map(),
    highestBid: Number.NEGATIVE_INFINITY,
    lowestAsk: Number.POSITIVE_INFINITY,
  };
}

function findBest(orders: PairOrders): void {
  orders.highestBid = Number.NEGATIVE_INFINITY;
  orders.lowestAsk = Number.POSITIVE_INFINITY;
  for (const { side, price } of orders.byId.values())
    if (side === 'BID') orders.highestBid = Math.max(orders.highestBid, price);
    else orders.lowestAsk = Math.min(orders.lowestAsk, price);
}
