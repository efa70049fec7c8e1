/**
 * Our orders that may be open, by pair, to find out whether a new order would trade with one of
 * them or repeats one.
 *
 * Invariant: an order is here from its approval until it is proven to be finished.
 */
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';

export type HeldOrder = {
  readonly strategyId: string;
  readonly pair: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  /** Whether it is a stop order that waits unseen for its stop price. */
  readonly isAwaiting?: boolean;
  /** What a market order pays, which trades at any price; undefined for other orders. */
  readonly pays?: string | undefined;
};

export type OpenOrder = Required<Omit<HeldOrder, 'pays'>> & {
  readonly pays: string | undefined;
  readonly placedMs: number;
  /** The strategy's number of fills on the pair when the order was placed. */
  readonly fillsBefore: number;
  /** Whether it is being cancelled. */
  isWithdrawn: boolean;
  /** Until its trigger it trades with nothing, so it is not among the best prices. */
  isAwaiting: boolean;
};

/** Our orders on one pair. */
export type PairOrders = {
  /** In no order that matters; there are few. */
  readonly all: OpenOrder[];
  /** Our best prices; infinite without an order on that side. */
  highestBid: number;
  lowestAsk: number;
  /** Number of fills of each strategy on the pair, by strategy. */
  readonly fills: Map<string, number>;
};

export class OpenOrders {
  readonly #pairs = new Map<string, PairOrders>();

  /** Returns our orders on `pair`; the object is updated in place. */
  at(pair: string): PairOrders {
    let orders = this.#pairs.get(pair);
    if (orders === undefined) {
      orders = noOrders();
      this.#pairs.set(pair, orders);
    }
    return orders;
  }

  /** Returns our best price on the side opposite to `side`; infinite without an order there. */
  bestOpposite(side: Side, pair: string): number {
    const orders = this.#pairs.get(pair);
    if (side === 'BID') return orders?.lowestAsk ?? Number.POSITIVE_INFINITY;
    return orders?.highestBid ?? Number.NEGATIVE_INFINITY;
  }
}

/** Adds an order to those of its pair, and returns its entry, which {@link removeOrder} takes. */
export function addOrder(orders: PairOrders, order: HeldOrder, placedMs: number): OpenOrder {
  const open: OpenOrder = {
    strategyId: order.strategyId,
    pair: order.pair,
    side: order.side,
    price: order.price,
    volume: order.volume,
    placedMs,
    fillsBefore: fillsOf(orders, order.strategyId),
    isWithdrawn: false,
    isAwaiting: order.isAwaiting === true,
    pays: order.pays,
  };
  orders.all.push(open);
  noteBest(orders, open);
  return open;
}

export function removeOrder(orders: PairOrders, open: OpenOrder): void {
  const place = orders.all.indexOf(open);
  if (place === -1) return;
  // The last one takes its place.
  const last = orders.all.pop() as OpenOrder;
  if (last !== open) orders.all[place] = last;
  orders.highestBid = Number.NEGATIVE_INFINITY;
  orders.lowestAsk = Number.POSITIVE_INFINITY;
  for (const order of orders.all) noteBest(orders, order);
}

/** Notes that a stop order has become a limit order, which may trade. */
export function triggerOrder(orders: PairOrders, open: OpenOrder): void {
  open.isAwaiting = false;
  noteBest(orders, open);
}

/** Counts a fill of a strategy. */
export function noteFill(orders: PairOrders, strategyId: string): void {
  orders.fills.set(strategyId, fillsOf(orders, strategyId) + 1);
}

/**
 * Returns the number of orders identical to `order` that were placed within the span and since the
 * strategy's last fill on the pair. Orders that are being cancelled do not count.
 */
export function countIdentical(
  orders: PairOrders,
  order: HeldOrder,
  nowMs: number,
  withinMs: number,
): number {
  let count = 0;
  for (const other of orders.all) {
    if (!areTermsAlike(other, order)) continue;
    if (other.side !== order.side || other.strategyId !== order.strategyId) continue;
    if (other.isWithdrawn || other.placedMs <= nowMs - withinMs) continue;
    if (other.fillsBefore === fillsOf(orders, order.strategyId)) count++;
  }
  return count;
}

/** What a market order counts as follows the market; what it pays does not. */
function areTermsAlike(one: HeldOrder, other: HeldOrder): boolean {
  if (one.pays !== undefined || other.pays !== undefined) return one.pays === other.pays;
  return one.price === other.price && one.volume === other.volume;
}

function fillsOf({ fills }: PairOrders, strategyId: string): number {
  return fills.get(strategyId) ?? 0;
}

/** Returns the entry of a pair without orders. */
export function noOrders(): PairOrders {
  return {
    all: [],
    highestBid: Number.NEGATIVE_INFINITY,
    lowestAsk: Number.POSITIVE_INFINITY,
    fills: new Map(),
  };
}

function noteBest(orders: PairOrders, { side, price, isAwaiting, pays }: OpenOrder): void {
  if (isAwaiting) return;
  const isMarket = pays !== undefined;
  if (side === 'BID') orders.highestBid = Math.max(orders.highestBid, isMarket ? Infinity : price);
  else orders.lowestAsk = Math.min(orders.lowestAsk, isMarket ? 0 : price);
}
