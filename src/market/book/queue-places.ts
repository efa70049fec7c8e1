/**
 * Places in the queues of one side of a book that are held without an order in it, in the order in
 * which they trade: best price first, then oldest first. A place knows the volume ahead of it, and
 * the book keeps that up to date for the places that it holds.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { subtractLots } from '../../domain/ticks-and-lots.ts';

export interface QueuePlace {
  readonly side: Side;
  readonly price: Ticks;
  /** Orders with a lesser arrival number stand before it. */
  arrival: number;
  /** The volume of those that are still there, at this price. */
  ahead: Lots;
}

export class QueuePlaces<Place extends QueuePlace = QueuePlace> {
  readonly #isBid: boolean;
  /** They are few. */
  readonly #places: Place[] = [];
  /** Worse than any price while there is no place. */
  #bestPrice: number;

  constructor(side: Side) {
    this.#isBid = side === 'BID';
    this.#bestPrice = this.#isBid ? -Infinity : Infinity;
  }

  get all(): readonly Place[] {
    return this.#places;
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

  /** Returns the best place if it stands before an order of that price and arrival number. */
  bestBefore(price: Ticks, arrival: number): Place | undefined {
    if (!this.reaches(price)) return undefined;
    const best = this.#places[0] as Place;
    return best.price !== price || best.arrival <= arrival ? best : undefined;
  }

  /** Adds a place behind those of an equal price. */
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

  /** Takes out a place that is in. */
  delete(place: Place): void {
    const places = this.#places;
    for (let index = places.indexOf(place) + 1; index < places.length; index++)
      places[index - 1] = places[index] as Place;
    places.pop();
    this.#bestPrice = places[0]?.price ?? (this.#isBid ? -Infinity : Infinity);
  }

  /** Returns whether a place is held at a price. */
  has(price: Ticks): boolean {
    for (let index = 0; index < this.#places.length; index++)
      if ((this.#places[index] as Place).price === price) return true;
    return false;
  }

  /** Reduces what is ahead of the places at a price that stand behind an order's arrival number. */
  moveUp(price: Ticks, arrival: number, volume: Lots): void {
    for (let index = 0; index < this.#places.length; index++) {
      const place = this.#places[index] as Place;
      if (place.price === price && arrival < place.arrival)
        place.ahead = subtractLots(place.ahead, volume);
    }
  }
}
