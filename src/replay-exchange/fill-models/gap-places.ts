/**
 * What becomes of our resting orders when history could not be followed for a while and is known
 * again from a snapshot, which comes as changes of the book.
 *
 * An order that stood when the stream was last whole keeps its place: everything before it was
 * known, what is gone of that is gone, and what is new came later. An order that came to rest after
 * that moment may stand behind whatever came meanwhile, so it goes behind all that is there. What
 * was traded in between is not known and fills nothing, except where the new book itself meets an
 * order of ours.
 */
import type { Book } from '../../market/book/book.ts';
import type { OwnOrder } from './own-order.ts';

export class GapPlaces {
  /** How often history was lost. */
  count = 0;
  /** Orders of ours that rested through a gap in a place that is proven. */
  kept = 0;
  /** Orders of ours whose place could not be proven: they went behind. */
  wentBehind = 0;
  readonly #book: Book<OwnOrder>;
  #sinceMicros: number | undefined;

  /** `book`: history's, in which our resting orders hold their places. */
  constructor(book: Book<OwnOrder>) {
    this.#book = book;
  }

  /** Whether history is not known at the moment. */
  get isOpen(): boolean {
    return this.#sinceMicros !== undefined;
  }

  /** Nothing is known of history after `atMicros`; -Infinity if it cannot be followed at all. */
  begin(atMicros: number): void {
    if (this.#sinceMicros === undefined) this.count++;
    this.#sinceMicros = Math.min(atMicros, this.#sinceMicros ?? Infinity);
  }

  /** The book is that of the snapshot now; does nothing if there was no gap. */
  end(): void {
    const since = this.#sinceMicros;
    if (since === undefined) return;
    this.#sinceMicros = undefined;
    const book = this.#book;
    for (const order of [...book.placesOf('BID').all, ...book.placesOf('ASK').all]) {
      if (order.createdMicros <= since) {
        this.kept++;
        continue;
      }
      book.putBehind(order);
      this.wentBehind++;
    }
  }
}
