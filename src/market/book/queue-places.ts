/**
 * Places in the queues of one side of a book that are held without an order in it. A place knows
 * what stands before it, and the book keeps that up to date.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';

export interface QueuePlace {
  readonly side: Side;
  readonly price: Ticks;
  /** Orders with a lesser arrival number stand before it. */
  arrival: number;
  /** The volume of those that are still there, at this price. */
  ahead: Lots;
}

export class QueuePlaces {
  /** They are few. */
  readonly #places: QueuePlace[] = [];

  add(place: QueuePlace): void {
    this.#places.push(place);
  }

  /** Takes out a place that is in. */
  delete(place: QueuePlace): void {
    const places = this.#places;
    const index = places.indexOf(place);
    const last = places.pop() as QueuePlace;
    if (index < places.length) places[index] = last;
  }

  /** Whether a place is held at a price. */
  has(price: Ticks): boolean {
    for (let index = 0; index < this.#places.length; index++)
      if ((this.#places[index] as QueuePlace).price === price) return true;
    return false;
  }

  /** An order gives up `volume`: who stands behind it has less before it. */
  moveUp(price: Ticks, arrival: number, volume: Lots): void {
    for (let index = 0; index < this.#places.length; index++) {
      const place = this.#places[index] as QueuePlace;
      if (place.price === price && arrival < place.arrival)
        place.ahead = (place.ahead - volume) as Lots;
    }
  }
}
