/**
 * Random changes of a book: orders near a wandering price with power-law distance, absurd prices,
 * sudden jumps, deletes, partial and full trades, ids used again.
 */
import type { Side } from '../../src/domain/market.ts';
import { SeededRandom } from '../support/seeded-random.ts';

export type BookChange =
  | {
      readonly kind: 'create';
      readonly id: string;
      readonly side: Side;
      readonly price: number;
      readonly volume: number;
    }
  | { readonly kind: 'remove'; readonly id: string }
  | { readonly kind: 'reduce'; readonly id: string; readonly volume: number };

export type BookFlowOptions = {
  readonly seed: number;
  /** About how many orders rest at a time. */
  readonly ordersAim: number;
  /** One event in so many moves the middle price far away; 0 for never. */
  readonly jumpEvery: number;
  /** Share of orders at absurd prices. */
  readonly absurdShare: number;
};

type LiveOrder = { readonly id: string; volume: number };

/** Knows which orders rest, so that every change it makes fits. */
export class BookFlow {
  readonly #options: BookFlowOptions;
  readonly #random: SeededRandom;
  readonly #live: LiveOrder[] = [];
  readonly #freeIds: string[] = [];
  #middle = 2_000_000;
  #number = 0;

  constructor(options: BookFlowOptions) {
    this.#options = options;
    this.#random = new SeededRandom(options.seed);
  }

  next(): BookChange {
    const random = this.#random;
    this.#wander();
    const share = this.#live.length < this.#options.ordersAim ? 0.7 : 0.3;
    if (this.#live.length === 0 || random.fraction() < share) return this.#create();
    // Most cancels concern young orders.
    const isRecent = random.fraction() < 0.7;
    const last = this.#live.length - 1;
    const index = random.integer(isRecent ? Math.max(0, last - 100) : 0, last);
    const order = this.#live[index] as LiveOrder;
    if (random.fraction() < 0.6) {
      this.#drop(index);
      return { kind: 'remove', id: order.id };
    }
    const volume = random.fraction() < 0.4 ? order.volume : random.integer(1, order.volume);
    order.volume -= volume;
    if (order.volume === 0) this.#drop(index);
    return { kind: 'reduce', id: order.id, volume };
  }

  #create(): BookChange {
    const random = this.#random;
    const side: Side = random.fraction() < 0.5 ? 'BID' : 'ASK';
    const volume = Math.ceil(10_000 * (1 - Math.log(1 - random.fraction())));
    const id = (random.fraction() < 0.3 && this.#freeIds.pop()) || `BX${++this.#number}`;
    this.#live.push({ id, volume });
    return { kind: 'create', id, side, price: this.#price(side), volume };
  }

  #price(side: Side): number {
    const random = this.#random;
    if (random.fraction() < this.#options.absurdShare) return random.integer(1, 20_000_000_000);
    const distance = Math.min(1e6, Math.floor(8 * ((1 - random.fraction()) ** (-1 / 0.6) - 1)));
    return Math.max(1, this.#middle + (side === 'BID' ? -1 - distance : distance));
  }

  #wander(): void {
    const random = this.#random;
    if (random.fraction() < 0.01) this.#middle += random.integer(-2, 2);
    const { jumpEvery } = this.#options;
    if (jumpEvery === 0 || random.fraction() * jumpEvery >= 1) return;
    const size = random.pick([50, 5_000, 100_000, 5_000_000_000]);
    this.#middle = Math.max(1_000, this.#middle + random.integer(-size, size));
  }

  #drop(index: number): void {
    const order = this.#live[index] as LiveOrder;
    const last = this.#live.pop();
    if (last !== undefined && last !== order) this.#live[index] = last;
    if (this.#freeIds.length < 100) this.#freeIds.push(order.id);
  }
}
