/** A view of a book that is brought up to date only when it is read. */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { Book } from './book.ts';
import type { BookView } from './book-view.ts';

export class LaggingBook implements BookView {
  readonly #read: () => Book;

  /** `read`: brings the book up to date and returns it. */
  constructor(read: () => Book) {
    this.#read = read;
  }

  get topChanges(): number {
    return this.#read().topChanges;
  }

  bestPrice(side: Side): Ticks | undefined {
    return this.#read().bestPrice(side);
  }

  bestVolume(side: Side): Lots {
    return this.#read().bestVolume(side);
  }

  volumeAt(side: Side, price: Ticks): Lots {
    return this.#read().volumeAt(side, price);
  }

  priceAfter(side: Side, price: Ticks): Ticks | undefined {
    return this.#read().priceAfter(side, price);
  }

  isCrossed(): boolean {
    return this.#read().isCrossed();
  }
}
