/**
 * Changes of a book as an exchange that matches makes them, to measure speed with: about half
 * creates, two fifths deletes, a tenth trades against the best orders; power-law distances from the
 * opposite best price, a few absurd prices; mostly young orders are cancelled.
 *
 * It keeps a book of its own to know the best prices; that book is proven elsewhere in this prover.
 */
import type { Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { IdentifiedBook } from '../../src/market/book/identified-book.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import type { BookChange } from './book-flow.ts';

const startPrice = 2_000_000;
const priceMax = 100_000_000;

export class MatchedFlow {
  readonly #random: SeededRandom;
  readonly #ordersAim: number;
  readonly #orders = new IdentifiedBook();
  /** Oldest first, with ids of orders that were traded away meanwhile. */
  readonly #ids: string[] = [];
  #number = 0;

  constructor(options: { readonly seed: number; readonly ordersAim: number }) {
    this.#random = new SeededRandom(options.seed);
    this.#ordersAim = options.ordersAim;
  }

  /** Returns the first `count` changes; the first `ordersAim` fill the book. */
  changes(count: number): BookChange[] {
    const changes: BookChange[] = [];
    while (changes.length < count) {
      const { size } = this.#orders.book;
      const share = this.#random.fraction();
      if (changes.length < this.#ordersAim || share < 0.486) changes.push(this.#create());
      else if (share < 0.9 && size > 100) changes.push(this.#remove());
      else changes.push(...this.#trade());
    }
    return changes.slice(0, count);
  }

  #create(): BookChange {
    const side: Side = this.#random.fraction() < 0.5 ? 'BID' : 'ASK';
    const id = `BX${String(++this.#number).padStart(13, '0')}`;
    const price = this.#price(side);
    const volume = this.#volume();
    this.#orders.create(id, side, price as Ticks, volume as Lots);
    this.#ids.push(id);
    return { kind: 'create', id, side, price, volume };
  }

  #price(side: Side): number {
    const random = this.#random;
    const { book } = this.#orders;
    const bid = book.bestPrice('BID') ?? startPrice - 5;
    const ask = book.bestPrice('ASK') ?? startPrice + 5;
    if (random.fraction() < 0.005)
      return side === 'BID' ? random.integer(1, ask - 1) : random.integer(bid + 1, priceMax);
    const isInside = random.fraction() < 0.1;
    const distance = Math.floor(8 * ((1 - random.fraction()) ** (-1 / 0.6) - 1));
    if (side === 'BID') return Math.max(1, isInside ? ask - 1 : Math.min(bid, ask - 1) - distance);
    return Math.min(priceMax, isInside ? bid + 1 : Math.max(ask, bid + 1) + distance);
  }

  #remove(): BookChange {
    const random = this.#random;
    for (;;) {
      const last = this.#ids.length - 1;
      const isRecent = random.fraction() < 0.7;
      const index = random.integer(isRecent ? Math.max(0, last - 200) : 0, last);
      const id = this.#ids[index] as string;
      const end = this.#ids.pop() as string;
      if (index !== last) this.#ids[index] = end;
      const slot = this.#orders.slotOf(id);
      if (slot === 0) continue;
      this.#orders.remove(slot);
      return { kind: 'remove', id };
    }
  }

  /** An order that takes the best ones of the other side until it is filled. */
  #trade(): BookChange[] {
    const { book } = this.#orders;
    const side: Side = this.#random.fraction() < 0.5 ? 'BID' : 'ASK';
    const trades: BookChange[] = [];
    let left = this.#volume();
    for (let slot = book.bestOrder(side); slot !== 0 && left > 0; slot = book.bestOrder(side)) {
      const id = this.#orders.idOf(slot);
      const volume = Math.min(left, book.volumeOf(slot));
      left -= volume;
      this.#orders.reduce(slot, volume as Lots);
      trades.push({ kind: 'reduce', id, volume });
    }
    return trades;
  }

  #volume(): number {
    return Math.ceil(10_000 * (0.1 - Math.log(1 - this.#random.fraction())));
  }
}
