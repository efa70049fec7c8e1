/**
 * What our orders took from history's orders. History does not know about it, so its orders keep
 * their recorded volume in the book; what we took stays taken for as long as the order lives, or
 * for a stated time, after which somebody else is taken to have come to its place.
 *
 * Keyed by slot; what was taken of an earlier order in the slot is told by its arrival number.
 */
import type { Lots } from '../../domain/money.ts';
import type { Book } from '../../market/book/book.ts';

type Taken = {
  /** The order's. */
  readonly arrival: number;
  readonly volume: number;
  readonly untilMicros: number;
};

export class ConsumedVolume {
  readonly #book: Book;
  readonly #lastsMicros: number;
  /** By slot. */
  readonly #taken = new Map<number, Taken>();

  /** `lastsMicros`: how long what was taken stays taken; Infinity for the life of the order. */
  constructor(book: Book, lastsMicros: number) {
    this.#book = book;
    this.#lastsMicros = lastsMicros;
  }

  /** Returns what is left for us of a live order, never negative. */
  availableAt(slot: number, atMicros: number): Lots {
    const volume = this.#book.volumeOf(slot);
    return Math.max(0, volume - this.#takenAt(slot, atMicros)) as Lots;
  }

  /**
   * Takes from an order; what was taken of it before lasts as long as this. Returns whether nothing
   * was.
   */
  take(slot: number, volume: Lots, atMicros: number): boolean {
    const before = this.#takenAt(slot, atMicros);
    this.#taken.set(slot, {
      arrival: this.#book.arrivalOf(slot),
      volume: before + volume,
      untilMicros: atMicros + this.#lastsMicros,
    });
    return before === 0;
  }

  #takenAt(slot: number, atMicros: number): number {
    const taken = this.#taken.get(slot);
    if (taken === undefined || atMicros >= taken.untilMicros) return 0;
    return taken.arrival === this.#book.arrivalOf(slot) ? taken.volume : 0;
  }
}
