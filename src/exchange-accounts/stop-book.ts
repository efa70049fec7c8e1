/**
 * The untriggered stop orders of one market, sorted by stop price.
 *
 * Invariants: holds exactly the AWAITING orders of its market; a trade that triggers nothing
 * inspects at most the two nearest orders.
 */
import type { StopCondition } from '../domain/limit-order.ts';
import type { Ticks } from '../domain/money.ts';

export type StopOrder = {
  /** Unique, and increases in order of placement. */
  readonly number: number;
  readonly stop?: StopCondition | undefined;
};

/** The lowest and the highest price at which an order traded. */
export type PriceRange = { readonly low: Ticks; readonly high: Ticks };

/**
 * Returns whether trades in this price range trigger the stop. Reaching the stop price is enough.
 */
export function isTriggered(stop: StopCondition, { low, high }: PriceRange): boolean {
  return stop.direction === 'ABOVE' ? high >= stop.price : low <= stop.price;
}

export class StopBook<Order extends StopOrder> {
  /** Both sides are sorted so that the order nearest to the market is last. */
  readonly #above: Order[] = [];
  readonly #below: Order[] = [];

  get size(): number {
    return this.#above.length + this.#below.length;
  }

  /** Adds an order that has a stop condition. */
  add(order: Order): void {
    const side = this.#sideOf(order);
    side.splice(indexOf(side, order), 0, order);
  }

  remove(order: Order): void {
    const side = this.#sideOf(order);
    const index = indexOf(side, order);
    if (side[index]?.number === order.number) side.splice(index, 1);
  }

  /** Removes and returns the orders that these trades trigger, in order of placement. */
  take(range: PriceRange): Order[] {
    if (this.size === 0) return [];
    const taken = [...takeFrom(this.#above, range), ...takeFrom(this.#below, range)];
    return taken.sort((a, b) => a.number - b.number);
  }

  /** Removes and returns all orders. */
  takeAll(): Order[] {
    return [...this.#above.splice(0), ...this.#below.splice(0)];
  }

  #sideOf({ stop }: Order): Order[] {
    return stop?.direction === 'ABOVE' ? this.#above : this.#below;
  }
}

function takeFrom<Order extends StopOrder>(side: Order[], range: PriceRange): Order[] {
  let kept = side.length;
  while (kept > 0) {
    const stop = side[kept - 1]?.stop;
    if (stop === undefined || !isTriggered(stop, range)) break;
    kept -= 1;
  }
  return side.splice(kept);
}

/** Returns the order's index in its sorted side, or the index at which it belongs. */
function indexOf<Order extends StopOrder>(side: readonly Order[], order: Order): number {
  let low = 0;
  let high = side.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (isBefore(side[middle] as Order, order)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns whether `one` is farther from the market than `other`. */
function isBefore(one: StopOrder, other: StopOrder): boolean {
  const sign = one.stop?.direction === 'ABOVE' ? 1 : -1;
  const distance = ((one.stop?.price ?? 0) - (other.stop?.price ?? 0)) * sign;
  return distance === 0 ? one.number > other.number : distance > 0;
}
