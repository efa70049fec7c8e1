/**
 * The queue places of our resting orders across a gap in history, which ends with a snapshot that
 * arrives as changes of the book.
 *
 * An order that rested before the gap keeps its place: all orders ahead of it were known, some may
 * have left, and new orders are behind it. An order that came to rest during the gap may be behind
 * any order that arrived meanwhile, so it goes to the back of the queue. Trades during the gap are
 * unknown and fill nothing, unless the new book itself crosses an order of ours.
 */
import type { Book } from '../../market/book/book.ts';
import { TimeSpans } from '../../market/flow/time-spans.ts';
import type { OwnOrders } from './own-orders.ts';

export class GapPlaces {
  /** The number of gaps. */
  count = 0;
  /** The gaps; the last one may be open. */
  readonly times = new TimeSpans();
  /** Orders of ours that kept a proven place across a gap. */
  kept = 0;
  /** Orders of ours whose place could not be proven, so they went to the back of the queue. */
  wentBehind = 0;
  readonly #own: OwnOrders;
  readonly #book: Book;
  #sinceMicros: number | undefined;

  /** `book`: history's book, in whose queues our resting orders have their places. */
  constructor(own: OwnOrders, book: Book) {
    this.#own = own;
    this.#book = book;
  }

  /** Whether a gap is open. */
  get isOpen(): boolean {
    return this.#sinceMicros !== undefined;
  }

  /** Begins a gap after `atMicros`; `isProven` is false if no place of ours can be proven. */
  begin(atMicros: number, isProven = true): void {
    if (this.#sinceMicros === undefined) this.count++;
    this.times.begin(atMicros);
    this.#sinceMicros = Math.min(isProven ? atMicros : -Infinity, this.#sinceMicros ?? Infinity);
  }

  /** Ends the gap, if one is open: the book now equals the snapshot. */
  end(atMicros: number): void {
    const since = this.#sinceMicros;
    if (since === undefined) return;
    this.times.end(atMicros);
    this.#sinceMicros = undefined;
    for (const order of this.#own.resting) {
      if (order.createdMicros <= since) {
        this.kept++;
        continue;
      }
      order.arrival = this.#book.nextArrival;
      this.wentBehind++;
    }
  }
}
