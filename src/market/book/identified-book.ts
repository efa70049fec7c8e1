/**
 * A book whose orders have the exchange's ids: a {@link Book} with a two-way table of ids and
 * slots.
 *
 * Change it through this class and read it through `book`. Invariant: the table holds exactly the
 * resting orders.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { addLots, noLots } from '../../domain/ticks-and-lots.ts';
import type { OrderResized } from '../flow/order-flow-row.ts';
import { Book } from './book.ts';
import { BookError } from './book-error.ts';

/** What is before an order in the queue at its price. */
export type OrderPlace = { readonly aheadVolume: Lots; readonly aheadOrders: number };

export class IdentifiedBook {
  /** For reading only. */
  readonly book: Book;
  readonly #slots = new Map<string, number>();
  readonly #ids: string[] = [''];

  /** Takes ownership of an empty book. */
  constructor(book: Book = new Book()) {
    this.book = book;
  }

  /**
   * Adds an order and returns its slot. Throws {@link BookError} as {@link Book.create} does, and
   * for an id that is already in the book.
   */
  create(id: string, side: Side, price: Ticks, volume: Lots): number {
    if (this.#slots.has(id))
      throw new BookError('DUPLICATE_ORDER', `order ${id} is already in the book`);
    const slot = this.book.create(side, price, volume);
    this.#slots.set(id, slot);
    this.#ids[slot] = id;
    return slot;
  }

  /** Returns the slot of an order, or 0 if the book does not hold it. */
  slotOf(id: string): number {
    return this.#slots.get(id) ?? 0;
  }

  idOf(slot: number): string {
    return this.#ids[slot] as string;
  }

  /** Returns the place of an order in its queue; undefined if the book does not hold it. */
  placeOf(id: string): OrderPlace | undefined {
    const own = this.slotOf(id);
    if (own === 0) return undefined;
    const { book } = this;
    const first = book.firstOrderAt(book.sideOf(own), book.priceOf(own));
    let aheadVolume = noLots;
    let aheadOrders = 0;
    for (let slot = first; slot !== own; slot = book.orderBehind(slot)) {
      aheadVolume = addLots(aheadVolume, book.volumeOf(slot));
      aheadOrders++;
    }
    return { aheadVolume, aheadOrders };
  }

  /** Returns the remaining volume of the order; at 0 the order leaves the book. */
  reduce(slot: number, volume: Lots): Lots {
    const left = this.book.reduce(slot, volume);
    if (left === 0) this.#forget(slot);
    return left;
  }

  /**
   * Returns whether a resize sends the order to the back of a queue: its volume grows, or its price
   * changes.
   */
  losesPlace(slot: number, { volume, price }: Pick<OrderResized, 'volume' | 'price'>): boolean {
    const { book } = this;
    return volume > book.volumeOf(slot) || (price !== undefined && price !== book.priceOf(slot));
  }

  remove(slot: number): void {
    this.book.remove(slot);
    this.#forget(slot);
  }

  clear(): void {
    this.book.clear();
    this.#slots.clear();
    this.#ids.length = 1;
  }

  #forget(slot: number): void {
    this.#slots.delete(this.#ids[slot] as string);
    this.#ids[slot] = '';
  }
}
