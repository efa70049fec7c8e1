/**
 * The places of our resting orders in the queues of one side of history's book, which does not
 * contain them. They are sorted by trading priority: best price first, then oldest first.
 */
import type { Side } from '../../domain/market.ts';
import type { Ticks } from '../../domain/money.ts';
import type { OwnOrder } from './own-order.ts';

export class QueuePlaces {
  readonly #isBid: boolean;
  /** A sorted array, since there are only a few places. */
  readonly #places: OwnOrder[] = [];
  // From the start a number that is no integer: V8 then knows that it reads a float.
  #bestPrice = Infinity;

  constructor(side: Side) {
    this.#isBid = side === 'BID';
    this.#bestPrice = this.#isBid ? -Infinity : Infinity;
  }

  get all(): readonly OwnOrder[] {
    return this.#places;
  }

  /** The best price; worse than any price while no place is held. */
  get bestPrice(): number {
    return this.#bestPrice;
  }

  get best(): OwnOrder | undefined {
    return this.#places[0];
  }

  /** Returns whether the best place has a price at least as good as `price`. */
  reaches(price: Ticks): boolean {
    return this.#isBid ? price <= this.#bestPrice : price >= this.#bestPrice;
  }

  /** Returns whether `price` has priority over `other` on this side. */
  isBetter(price: Ticks, other: Ticks): boolean {
    return this.#isBid ? price > other : price < other;
  }

  /** Returns the best place if it is ahead of an order with that price and arrival number. */
  bestBefore(price: Ticks, arrival: number): OwnOrder | undefined {
    if (!this.reaches(price)) return undefined;
    const best = this.#places[0] as OwnOrder;
    return best.price !== price || best.arrival <= arrival ? best : undefined;
  }

  /** Adds a place behind the places at the same price. */
  add(place: OwnOrder): void {
    const places = this.#places;
    let index = places.length;
    places.push(place);
    for (; index > 0; index--) {
      const before = places[index - 1] as OwnOrder;
      if (!this.isBetter(place.price, before.price)) break;
      places[index] = before;
    }
    places[index] = place;
    this.#bestPrice = (places[0] as OwnOrder).price;
  }

  /** Removes a place, which must be in the list. */
  delete(place: OwnOrder): void {
    const places = this.#places;
    for (let index = places.indexOf(place) + 1; index < places.length; index++)
      places[index - 1] = places[index] as OwnOrder;
    places.pop();
    this.#bestPrice = places[0]?.price ?? (this.#isBid ? -Infinity : Infinity);
  }
}
