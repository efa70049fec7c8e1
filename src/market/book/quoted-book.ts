/**
 * The book of a market whose recording has no orders: one bid and one ask, each a half spread from
 * the last price, with the volume of the last trade or bar. It has no order before the first price.
 */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import { lotsOf, movedBy, noLots, ticksOf } from '../../domain/ticks-and-lots.ts';
import { checkPrice, checkVolume } from './book-values.ts';
import type { BookView } from './book-view.ts';

const oneLot = lotsOf(1);

export class QuotedBook implements BookView {
  readonly #halfSpread: Ticks;
  /** The last price and the volume of each order; meaningless while the book is empty. */
  #price = ticksOf(0);
  #volume = noLots;
  #isEmpty = true;
  #topChanges = 0;

  /** `halfSpread`: at least one tick, so that the book is never crossed. */
  constructor(halfSpread: Ticks) {
    this.#halfSpread = halfSpread;
  }

  get topChanges(): number {
    return this.#topChanges;
  }

  /** The last price; undefined before the first. */
  get lastPrice(): Ticks | undefined {
    return this.#isEmpty ? undefined : this.#price;
  }

  /**
   * Moves both orders around a price, with a volume of at least one lot. Throws BookError if the
   * price or the volume is beyond what a book can hold.
   */
  move(price: Ticks, volume: Lots): void {
    const offered = volume < 1 ? oneLot : volume;
    if (price === this.#price && offered === this.#volume && !this.#isEmpty) return;
    checkPrice(movedBy(price, this.#halfSpread));
    checkVolume(offered);
    this.#price = price;
    this.#volume = offered;
    this.#isEmpty = false;
    this.#topChanges++;
  }

  bestPrice(side: Side): Ticks | undefined {
    if (this.#isEmpty) return undefined;
    if (side === 'ASK') return movedBy(this.#price, this.#halfSpread);
    // A bid needs a price above zero.
    return this.#price > this.#halfSpread ? movedBy(this.#price, -this.#halfSpread) : undefined;
  }

  bestVolume(side: Side): Lots {
    return this.bestPrice(side) === undefined ? noLots : this.#volume;
  }

  volumeAt(side: Side, price: Ticks): Lots {
    return this.bestPrice(side) === price ? this.#volume : noLots;
  }

  priceAfter(side: Side, price: Ticks): Ticks | undefined {
    const best = this.bestPrice(side);
    if (best === undefined) return undefined;
    return (side === 'ASK' ? best > price : best < price) ? best : undefined;
  }

  isCrossed(): boolean {
    return false;
  }
}
