/** Books with one fault each, rare enough that a careless check would miss it. */
import type { Side } from '../../src/domain/market.ts';
import type { Lots, Ticks } from '../../src/domain/money.ts';
import { Book, type BookOptions } from '../../src/market/book/book.ts';
import { IdentifiedBook } from '../../src/market/book/identified-book.ts';

/** How rare: one of so many calls goes wrong. */
const rarity = 500;

class SkippedDelete extends IdentifiedBook {
  #calls = 0;

  override remove(slot: number): void {
    if (++this.#calls % rarity !== 0) super.remove(slot);
  }
}

class LostVolume extends IdentifiedBook {
  #calls = 0;

  override reduce(slot: number, volume: Lots): Lots {
    const isWrong = ++this.#calls % rarity === 0 && volume > 1;
    return super.reduce(slot, (isWrong ? volume - 1 : volume) as Lots);
  }
}

/** A partly filled order goes to the back of its queue. */
class BrokenQueue extends IdentifiedBook {
  #calls = 0;

  override reduce(slot: number, volume: Lots): Lots {
    const left = super.reduce(slot, volume);
    if (left === 0 || ++this.#calls % rarity !== 0) return left;
    const id = this.idOf(slot);
    const side = this.book.sideOf(slot);
    const price = this.book.priceOf(slot);
    super.remove(slot);
    this.create(id, side, price, left);
    return left;
  }
}

/** After the best level went empty, its price is still told as the best, once in a while. */
class StaleBest extends Book {
  #calls = 0;
  #stale: { readonly side: Side; readonly price: Ticks } | undefined;

  override remove(slot: number): void {
    const side = this.sideOf(slot);
    const price = this.priceOf(slot);
    super.remove(slot);
    this.#stale = undefined;
    const next = this.bestPrice(side);
    const wasBest = next === undefined || (side === 'BID' ? next < price : next > price);
    if (wasBest && ++this.#calls % 20 === 0) this.#stale = { side, price };
  }

  override bestPrice(side: Side): Ticks | undefined {
    return this.#stale?.side === side ? this.#stale.price : super.bestPrice(side);
  }

  override levels(side: Side, levelsMax?: number) {
    const levels = super.levels(side, levelsMax);
    return this.#stale?.side === side
      ? [{ price: this.#stale.price, volume: 0 as Lots }, ...levels]
      : levels;
  }
}

/** An order now and then rests one tick too high. */
class WrongPrice extends Book {
  #calls = 0;

  override create(side: Side, price: Ticks, volume: Lots): number {
    const isWrong = ++this.#calls % rarity === 0;
    return super.create(side, (isWrong ? price + 1 : price) as Ticks, volume);
  }
}

export const bookPlants = {
  'skipped-delete': 'one delete in 500 is not applied',
  'lost-volume': 'one trade in 500 takes one lot too little',
  'broken-queue': 'one partial trade in 500 sends the order to the back of its queue',
  'stale-best': 'one removal of a best level in 20 leaves its price standing as the best',
  'wrong-price': 'one order in 500 rests one tick too high',
} as const;

/** Returns a new book, with the fault that `plant` names. */
export function createBook(options: BookOptions, plant: string | undefined): IdentifiedBook {
  switch (plant as keyof typeof bookPlants | undefined) {
    case 'skipped-delete':
      return new SkippedDelete(new Book(options));
    case 'lost-volume':
      return new LostVolume(new Book(options));
    case 'broken-queue':
      return new BrokenQueue(new Book(options));
    case 'stale-best':
      return new IdentifiedBook(new StaleBest(options));
    case 'wrong-price':
      return new IdentifiedBook(new WrongPrice(options));
    default:
      return new IdentifiedBook(new Book(options));
  }
}
