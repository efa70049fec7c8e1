/**
 * Finds the smallest number of new orders and cancels that turn a strategy's orders into its quote.
 * The engine plans again, with the same quote, whenever one of the orders changes, until nothing is
 * left to do.
 *
 * An order is kept, with its queue position, while
 *   - its price is at most `toleranceTicks` from the wanted one,
 *   - side, time in force and post-only are equal, and
 *   - the wanted volume is between its remaining and its original volume. So a partial fill
 *     changes nothing; the full volume returns when the level is placed again.
 *
 * Invariants: no order is placed for a level that has one that is not final, including orders that
 * are unknown or being cancelled; no order is placed that would trade with another order of the
 * strategy, even with one that is being cancelled; an order from a `place` intent is never changed;
 * if nothing has changed, the plan is empty.
 */
import { assert } from '../domain/errors.ts';
import type { QuotedOrder } from '../domain/intent.ts';
import type { Side } from '../domain/market.ts';
import { isFinal, type Terms } from '../domain/order.ts';
import { partOf } from '../domain/part-name.ts';
import type { OwnOrder } from './own-views.ts';

/** One order of the strategy on the pair. Final ones are ignored. */
type PlannedOrder = Pick<
  OwnOrder,
  'key' | 'terms' | 'filled' | 'state' | 'cancelling' | 'awaiting'
> & {
  readonly level?: string | undefined;
};

/** The quotes of several parts, which are planned together. */
export type QuotedParts = {
  /** Whether the part of a level has a quote; the orders of other parts stay as they are. */
  covers(level: string): boolean;
  /** How far, in ticks, an order of the level may be from its wanted price. */
  toleranceOf(level: string): number;
};

/**
 * What turns the orders of a strategy into its quote. One object is used for plan after plan,
 * because most plans find that nothing has to be done: {@link make} overwrites the one before.
 */
export class QuotePlanner<Order extends PlannedOrder> {
  /** Orders to place now. */
  readonly places: QuotedOrder[] = [];
  /** Orders to cancel now. An unknown order is cancelled as soon as its outcome is known. */
  readonly cancels: Order[] = [];
  /** For each wanted order, the existing order that is kept for it, if any. */
  readonly kept: Kept<Order> = [];

  /**
   * Plans one pair's quote. `toleranceTicks` is a whole number from 0; `own` is sorted by age,
   * oldest first. With `parts`, `wanted` has the orders of all that quote, and each has its own
   * tolerance. Returns the number of wanted orders for which none is kept. Throws InvariantError if
   * the quote crosses itself or repeats a level.
   */
  make(
    wanted: readonly QuotedOrder[],
    toleranceTicks: number,
    own: readonly Order[],
    parts?: QuotedParts,
  ): number {
    checkWanted(wanted);
    const { kept, cancels, places } = this;
    shorten(kept, wanted.length);
    for (let index = 0; index < wanted.length; index++) {
      const order = wanted[index] as QuotedOrder;
      kept[index] = bestFit(order, own, parts?.toleranceOf(order.level) ?? toleranceTicks);
    }
    uncross(wanted, kept);

    let count = 0;
    for (const order of own)
      if (order.level !== undefined && !kept.includes(order) && isCancellable(order))
        if (parts?.covers(order.level) ?? partOf(order.level) === '') cancels[count++] = order;
    shorten(cancels, count);

    count = 0;
    let missing = 0;
    for (let index = 0; index < wanted.length; index++) {
      if (kept[index] !== undefined) continue;
      missing++;
      const order = wanted[index] as QuotedOrder;
      if (!isOccupied(order, own)) places[count++] = order;
    }
    shorten(places, count);
    return missing;
  }
}

/** Drops what an earlier use of a short list left behind `length`. Setting its length is slow. */
export function shorten(list: unknown[], length: number): void {
  while (list.length > length) list.pop();
}

/** Whether an order that is not final has the level or would trade with `wanted`. */
function isOccupied(wanted: QuotedOrder, own: readonly PlannedOrder[]): boolean {
  for (const other of own) {
    if (isFinal(other.state)) continue;
    if (other.level === wanted.level) return true;
    // A stop order that waits trades with nothing.
    if (wouldTrade(wanted, other.terms) && other.awaiting !== true) return true;
  }
  return false;
}

type Kept<Order extends PlannedOrder = PlannedOrder> = (Order | undefined)[];

/**
 * Returns the fitting order with the nearest price, the oldest of equals; undefined if none fits.
 */
function bestFit<Order extends PlannedOrder>(
  wanted: QuotedOrder,
  own: readonly Order[],
  toleranceTicks: number,
): Order | undefined {
  let best: Order | undefined;
  for (const order of own) {
    if (order.level !== wanted.level || !fits(wanted, order, toleranceTicks)) continue;
    if (best === undefined || distance(wanted, order) < distance(wanted, best)) best = order;
  }
  return best;
}

function fits(wanted: QuotedOrder, order: PlannedOrder, toleranceTicks: number): boolean {
  const { terms } = order;
  return (
    distance(wanted, order) <= toleranceTicks &&
    isCancellable(order) &&
    terms.side === wanted.side &&
    (terms.timeInForce ?? 'GTC') === (wanted.timeInForce ?? 'GTC') &&
    (terms.postOnly ?? false) === (wanted.postOnly ?? false) &&
    wanted.volume <= terms.volume &&
    // What is filled takes long to read, and an equal volume never falls short of the rest.
    (wanted.volume === terms.volume || terms.volume - order.filled <= wanted.volume)
  );
}

function distance(wanted: QuotedOrder, order: PlannedOrder): number {
  return Math.abs(order.terms.price - wanted.price);
}

/** False for an order that is complete at the exchange or already being cancelled. */
function isCancellable(order: PlannedOrder): boolean {
  return !order.cancelling && order.state !== 'completing' && !isFinal(order.state);
}

/** Returns whether the two orders would trade with each other. */
export function wouldTrade(wanted: QuotedOrder, other: Terms): boolean {
  if (wanted.side === other.side) return false;
  return wanted.side === 'BID' ? wanted.price >= other.price : wanted.price <= other.price;
}

/**
 * Drops kept orders, those furthest from their wanted price first, until the resulting quote does
 * not cross: within the tolerance, an old bid may be at or above a new ask.
 */
function uncross(wanted: readonly QuotedOrder[], kept: Kept): void {
  if (!isCrossed(wanted, kept)) return;
  for (let i = 0; i <= wanted.length; i++) {
    const bid = bestOrderOf(wanted, kept, 'BID');
    const ask = bestOrderOf(wanted, kept, 'ASK');
    if (bid === undefined || ask === undefined || bid.price < ask.price) return;
    const worst = bid.ticksOff >= ask.ticksOff ? bid : ask;
    assert(worst.ticksOff > 0, 'quote crosses itself');
    kept[worst.index] = undefined;
  }
}

/** Whether the resulting quote, kept orders included, crosses. */
function isCrossed(wanted: readonly QuotedOrder[], kept: Kept): boolean {
  let bid = Number.NEGATIVE_INFINITY;
  let ask = Number.POSITIVE_INFINITY;
  for (let index = 0; index < wanted.length; index++) {
    const order = wanted[index] as QuotedOrder;
    const price = kept[index]?.terms.price ?? order.price;
    if (order.side === 'BID') bid = Math.max(bid, price);
    else ask = Math.min(ask, price);
  }
  return bid >= ask;
}

/** `ticksOff`: how far the price is from the wanted one; 0 for a new order. */
type BestOrder = { readonly index: number; readonly price: number; readonly ticksOff: number };

/** Returns the order of a side with the best price in the resulting quote. */
function bestOrderOf(
  wanted: readonly QuotedOrder[],
  kept: Kept,
  side: Side,
): BestOrder | undefined {
  let best: BestOrder | undefined;
  for (let index = 0; index < wanted.length; index++) {
    const order = wanted[index] as QuotedOrder;
    if (order.side !== side) continue;
    const keptOrder = kept[index];
    const price = keptOrder?.terms.price ?? order.price;
    if (best !== undefined && (side === 'BID' ? price <= best.price : price >= best.price))
      continue;
    const ticksOff = keptOrder === undefined ? 0 : distance(order, keptOrder);
    best = { index, price, ticksOff };
  }
  return best;
}

function checkWanted(wanted: readonly QuotedOrder[]): void {
  for (let index = 1; index < wanted.length; index++) {
    const order = wanted[index] as QuotedOrder;
    for (let at = 0; at < index; at++) {
      const other = wanted[at] as QuotedOrder;
      if (order.level === other.level) assert(false, 'quote repeats a level');
      if (!wouldTrade(order, other)) continue;
      const [bid, ask] = order.side === 'BID' ? [order, other] : [other, order];
      assert(false, `quote crosses itself: bid ${bid.price}, ask ${ask.price}`);
    }
  }
}
