/**
 * What our orders took from history's orders. History does not know about it, so its orders keep
 * their recorded volume in the book; what we took stays taken for as long as the order lives, or
 * for a stated time, after which somebody else is taken to have come to its place.
 *
 * Keyed by slot; a slot is forgotten when its order is gone, before it can be another order's.
 */
import type { Lots } from '../domain/money.ts';
import type { Book } from '../market/book.ts';

export class ConsumedVolume {
  readonly #book: Book;
  readonly #lastsMicros: number;
  readonly #bySlot = new Map<number, { readonly volume: number; readonly untilMicros: number }>();

  /** `lastsMicros`: how long what was taken stays taken; Infinity for the life of the order. */
  constructor(book: Book, lastsMicros: number) {
    this.#book = book;
    this.#lastsMicros = lastsMicros;
  }

  /** Returns what is left for us of a live order, never negative. */
  availableAt(slot: number, atMicros: number): Lots {
    const volume = this.#book.volumeOf(slot);
    if (this.#bySlot.size === 0) return volume;
    return Math.max(0, volume - this.#takenAt(slot, atMicros)) as Lots;
  }

  /** Takes from an order; what was taken of it before lasts as long as this. */
  take(slot: number, volume: Lots, atMicros: number): void {
    const taken = this.#takenAt(slot, atMicros) + volume;
    this.#bySlot.set(slot, { volume: taken, untilMicros: atMicros + this.#lastsMicros });
  }

  #takenAt(slot: number, atMicros: number): number {
    const taken = this.#bySlot.get(slot);
    return taken === undefined || atMicros >= taken.untilMicros ? 0 : taken.volume;
  }

  /** Must be told of every order that leaves the book. */
  forget(slot: number): void {
    if (this.#bySlot.size !== 0) this.#bySlot.delete(slot);
  }
}
