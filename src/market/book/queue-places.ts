/**
 * Places in the queues of one side of a book that are held without an order in the book. They are
 * sorted by trading priority: best price first, then oldest first. A place knows the volume ahead
 * of it; the book keeps that volume up to date.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { subtractLots } from '../../domain/ticks-and-lots.ts';

export interface QueuePlace {
  readonly side: Side;
  readonly price: Ticks;
  /** Orders with a lower arrival number are ahead of it. */
  arrival: number;
  /** The remaining volume of the orders ahead of it at this price. */
  ahead: Lots;
}

export class QueuePlaces<Place extends QueuePlace = QueuePlace> {
  readonly #isBid: boolean;
  /** A sorted array, since there are only a few places. */
  readonly #places: Place[] = [];
  // From the start a number that is no integer: V8 then knows that it reads a float.
  #bestPrice = Infinity;

  constructor(side: Side) {
    this.#isBid = side === 'BID';
    this.#bestPrice = this.#isBid ? -Infinity : Infinity;
  }

  get all(): readonly Place[] {
    return this.#places;
  }

  /** The best price; worse than any price while no place is held. */
  get bestPrice(): number {
    return this.#bestPrice;
  }

  get best(): Place | undefined {
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
  bestBefore(price: Ticks, arrival: number): Place | undefined {
    if (!this.reaches(price)) return undefined;
    const best = this.#places[0] as Place;
    return best.price !== price || best.arrival <= arrival ? best : undefined;
  }

  /** Adds a place behind the places at the same price. */
  add(place: Place): void {
    const places = this.#places;
    let index = places.length;
    places.push(place);
    for (; index > 0; index--) {
      const before = places[index - 1] as Place;
      if (!this.isBetter(place.price, before.price)) break;
      places[index] = before;
    }
    places[index] = place;
    this.#bestPrice = (places[0] as Place).price;
  }

  /** Removes a place, which must be in the list. */
  delete(place: Place): void {
    const places = this.#places;
    for (let index = places.indexOf(place) + 1; index < places.length; index++)
      places[index - 1] = places[index] as Place;
    places.pop();
    this.#bestPrice = places[0]?.price ?? (this.#isBid ? -Infinity : Infinity);
  }

  has(price: Ticks): boolean {
    for (let index = 0; index < this.#places.length; index++)
      if ((this.#places[index] as Place).price === price) return true;
    return false;
  }

  /** An order with `arrival` at `price` loses `volume`: updates the places behind it. */
  moveUp(price: Ticks, arrival: number, volume: Lots): void {
    for (let index = 0; index < this.#places.length; index++) {
      const place = this.#places[index] as Place;
      if (place.price === price && arrival < place.arrival)
        place.ahead = subtractLots(place.ahead, volume);
    }
  }
}
