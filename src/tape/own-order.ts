/**
 * Our resting orders on the tape. They are not in history's book: each knows its place in the queue
 * by the arrival number it would have had, and how much of history stands before it.
 */
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';

export type OwnOrder = {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  /** Orders of history with a lesser number came before. */
  arrival: number;
  readonly createdMicros: number;
  remaining: Lots;
  /** Volume of history's orders that came before at this price and are still there. */
  ahead: Lots;
};

/** Our resting orders of one side, best price first, then oldest first. */
export class OwnQueue {
  readonly #side: Side;
  readonly #orders: OwnOrder[] = [];

  constructor(side: Side) {
    this.#side = side;
  }

  get orders(): readonly OwnOrder[] {
    return this.#orders;
  }

  get best(): OwnOrder | undefined {
    return this.#orders[0];
  }

  /** Whether our best order has a price at least as good as `price`. */
  reaches(price: Ticks): boolean {
    const best = this.#orders[0];
    return best !== undefined && !this.isBetter(price, best.price);
  }

  add(order: OwnOrder): void {
    const index = this.#orders.findIndex((other) => this.isBetter(order.price, other.price));
    this.#orders.splice(index === -1 ? this.#orders.length : index, 0, order);
  }

  delete(order: OwnOrder): void {
    this.#orders.splice(this.#orders.indexOf(order), 1);
  }

  /** Returns whether `price` has priority over `other` on this side. */
  isBetter(price: Ticks, other: Ticks): boolean {
    return this.#side === 'BID' ? price > other : price < other;
  }
}
