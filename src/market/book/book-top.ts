/**
 * The best prices and volumes of a book at their last change. The frozen value is made only when it
 * is read.
 */
import type { Top } from '../../domain/market-view.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { noLots } from '../../domain/ticks-and-lots.ts';
import type { BookView } from './book-view.ts';

/** How the top differs from the last read: a best price changed, or only a volume at one. */
export type TopChange = 'none' | 'volume' | 'price';

export class BookTop {
  readonly #book: BookView;
  /** The book's `topChanges` at the last read; -1 makes the next read a change. */
  #changes = -1;
  /** The book's `topChanges` at the last {@link readLater}, and when they had last changed. */
  #laterChanges = -1;
  #laterMs = 0.5;
  #bid: Ticks | undefined;
  #ask: Ticks | undefined;
  #bidVolume: Lots = noLots;
  #askVolume: Lots = noLots;
  #timeMs = 0;
  #value: Top | undefined;

  constructor(book: BookView) {
    this.#book = book;
  }

  /** The top at the last read; a new object whenever the top has changed. */
  get value(): Top {
    this.catchUp();
    this.#value ??= Object.freeze({
      bid: this.#bid,
      bidVolume: this.#bidVolume,
      ask: this.#ask,
      askVolume: this.#askVolume,
      timeMs: this.#timeMs,
    });
    return this.#value;
  }

  /** Best bid + best ask at the last read, in ticks; undefined if a side is empty. */
  get mid2(): number | undefined {
    this.catchUp();
    return this.#bid === undefined || this.#ask === undefined ? undefined : this.#bid + this.#ask;
  }

  /** Makes the next read return `price`, whatever it finds. */
  forget(): void {
    this.#changes = -1;
    this.#laterChanges = -1;
  }

  /** Whether the best bid was at or above the best ask at the last read. */
  get isCrossed(): boolean {
    return this.#bid !== undefined && this.#ask !== undefined && this.#bid >= this.#ask;
  }

  /** Writes the top as five numbers, for {@link set}. */
  write(values: Float64Array, at: number): void {
    values[at] = this.#bid ?? Number.NaN;
    values[at + 1] = this.#ask ?? Number.NaN;
    values[at + 2] = this.#bidVolume;
    values[at + 3] = this.#askVolume;
    values[at + 4] = this.#timeMs;
  }

  /** Takes a top from {@link write} in place of a read, while the book itself is not up to date. */
  set(values: Float64Array, at: number): TopChange {
    const bid = Number.isNaN(values[at]) ? undefined : (values[at] as Ticks);
    const ask = Number.isNaN(values[at + 1]) ? undefined : (values[at + 1] as Ticks);
    const change = bid !== this.#bid || ask !== this.#ask ? 'price' : 'volume';
    this.#bid = bid;
    this.#ask = ask;
    this.#bidVolume = values[at + 2] as Lots;
    this.#askVolume = values[at + 3] as Lots;
    this.#timeMs = values[at + 4] as number;
    this.#value = undefined;
    return change;
  }

  /**
   * As {@link read}, but the book is read when somebody needs its top. Only for a book whose top
   * differs after each of its `topChanges`; {@link catchUp} must come before the next change for
   * which {@link read} is called.
   */
  readLater(timeMs: number): void {
    const { topChanges } = this.#book;
    if (topChanges === this.#laterChanges) return;
    this.#laterChanges = topChanges;
    this.#laterMs = timeMs;
  }

  /** Makes the read that {@link readLater} has put off, if any. */
  catchUp(): void {
    if (this.#laterChanges <= this.#changes) return;
    this.read(this.#laterMs);
    // The top may have changed and changed back.
    this.#timeMs = this.#laterMs;
    this.#value = undefined;
  }

  /** Reads the book; returns how its top has changed since the last read. */
  read(timeMs: number): TopChange {
    const book = this.#book;
    if (book.topChanges === this.#changes) return 'none';
    const isFirst = this.#changes === -1;
    this.#changes = book.topChanges;
    const bid = book.bestPrice('BID');
    const ask = book.bestPrice('ASK');
    const bidVolume = book.bestVolume('BID');
    const askVolume = book.bestVolume('ASK');
    const isPriceChange = isFirst || bid !== this.#bid || ask !== this.#ask;
    if (!isPriceChange && bidVolume === this.#bidVolume && askVolume === this.#askVolume)
      return 'none';
    this.#bid = bid;
    this.#ask = ask;
    this.#bidVolume = bidVolume;
    this.#askVolume = askVolume;
    this.#timeMs = timeMs;
    this.#value = undefined;
    return isPriceChange ? 'price' : 'volume';
  }
}
