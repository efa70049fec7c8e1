/**
 * The volume that our orders took from historical orders. In the book, those keep their recorded
 * volume; what we took stays taken as long as the historical order lives, or for a given time,
 * after which the model assumes that other liquidity has replaced it.
 *
 * Keyed by slot; the arrival number distinguishes the order from an earlier one in the same slot.
 */
import type { Lots } from '../../domain/money.ts';
import { addLots, lotsLeft, noLots } from '../../domain/ticks-and-lots.ts';
import type { Book } from '../../market/book/book.ts';

type Taken = {
  /** The order's arrival number. */
  readonly arrival: number;
  readonly volume: Lots;
  readonly untilMicros: number;
};

export class ConsumedVolume {
  readonly #book: Book;
  readonly #lastsMicros: number;
  /** By slot. */
  readonly #taken = new Map<number, Taken>();

  /** `lastsMicros`: how long taken volume stays taken; Infinity for the life of the order. */
  constructor(book: Book, lastsMicros: number) {
    this.#book = book;
    this.#lastsMicros = lastsMicros;
  }

  /** Returns the volume of a live order that we can still take, never negative. */
  availableAt(slot: number, atMicros: number): Lots {
    return lotsLeft(this.#book.volumeOf(slot), this.#takenAt(slot, atMicros));
  }

  /**
   * Takes volume from an order; earlier taken volume then stays taken as long as this. Returns
   * whether this is the first volume taken from it.
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
