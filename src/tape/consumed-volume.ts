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
  /** By slot: what was taken, and until when; as long as the highest slot that we took from. */
  #taken = new Float64Array(0);
  #untilMicros = new Float64Array(0);

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

  /** Takes from an order; what was taken of it before lasts as long as this. */
  take(slot: number, volume: Lots, atMicros: number): void {
    const taken = this.#takenAt(slot, atMicros) + volume;
    if (slot >= this.#taken.length) {
      this.#taken = grown(this.#taken, slot);
      this.#untilMicros = grown(this.#untilMicros, slot);
    }
    this.#taken[slot] = taken;
    this.#untilMicros[slot] = atMicros + this.#lastsMicros;
  }

  #takenAt(slot: number, atMicros: number): number {
    if (slot >= this.#taken.length || atMicros >= (this.#untilMicros[slot] as number)) return 0;
    return this.#taken[slot] as number;
  }

  /** Must be told of every order that leaves the book. */
  forget(slot: number): void {
    if (slot < this.#taken.length) this.#taken[slot] = 0;
  }
}

function grown(column: Float64Array, slot: number): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(Math.max(1_024, slot * 2));
  longer.set(column);
  return longer;
}
