/**
 * What our orders took from history's orders. History does not know about it, so its orders keep
 * their recorded volume in the book; what we took stays taken for as long as the order lives, or
 * for a stated time, after which somebody else is taken to have come to its place.
 *
 * Keyed by slot; the arrival number tells the order from an earlier one in the slot.
 */
import type { Lots } from '../../domain/money.ts';
import { addLots, lotsLeft, noLots } from '../../domain/ticks-and-lots.ts';
import type { Book } from '../../market/book/book.ts';

type Taken = {
  /** The order's. */
  readonly arrival: number;
  readonly volume: Lots;
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
    return lotsLeft(this.#book.volumeOf(slot), this.#takenAt(slot, atMicros));
  }

  /**
   * Takes from an order; what was taken of it before lasts as long as this. Returns whether nothing
   * was.
   */
  take(slot: number, volume: Lots, atMicros: number): boolean {
    const before = this.#takenAt(slot, atMicros);
    this.#taken.set(slot, {
      arrival: this.#book.arrivalOf(slot),
      volume: addLots(before, volume),
      untilMicros: atMicros + this.#lastsMicros,
    });
    return before === 0;
  }

  #takenAt(slot: number, atMicros: number): Lots {
    const taken = this.#taken.get(slot);
    if (taken === undefined || atMicros >= taken.untilMicros) return noLots;
    return taken.arrival === this.#book.arrivalOf(slot) ? taken.volume : noLots;
  }
}
