/**
 * What our orders took from history's orders. History does not know about it, so its orders keep
 * their recorded volume in the book; what we took stays taken for as long as the order lives.
 *
 * Keyed by slot; a slot is forgotten when its order is gone, before it can be another order's.
 */
import type { Lots } from '../domain/money.ts';
import type { Book } from '../market/book.ts';

export class ConsumedVolume {
  readonly #book: Book;
  readonly #bySlot = new Map<number, number>();

  constructor(book: Book) {
    this.#book = book;
  }

  /** Returns what is left for us of a live order, never negative. */
  availableAt(slot: number): Lots {
    const volume = this.#book.volumeOf(slot);
    if (this.#bySlot.size === 0) return volume;
    return Math.max(0, volume - (this.#bySlot.get(slot) ?? 0)) as Lots;
  }

  take(slot: number, volume: Lots): void {
    this.#bySlot.set(slot, (this.#bySlot.get(slot) ?? 0) + volume);
  }

  /** Must be told of every order that leaves the book. */
  forget(slot: number): void {
    if (this.#bySlot.size !== 0) this.#bySlot.delete(slot);
  }
}
