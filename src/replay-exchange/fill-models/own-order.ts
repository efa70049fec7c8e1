/** Our orders on the tape. They are not in history's book, but hold a place in its queues. */
import type { Side } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';
import type { QueuePlace } from '../../market/book/queue-places.ts';
import { orderIdOf } from '../account/order-ids.ts';

export type OrderTerms = {
  /** Empty if the order has none. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export class OwnOrder implements QueuePlace {
  /** Of all orders of the account: 1, 2, … */
  readonly number: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly createdMicros: number;
  // Of history's orders. The book has them right while the order rests on order by order history.
  arrival = 0;
  ahead = 0 as Lots;
  remaining: Lots;
  /** Whether it stands in the queue of its side. */
  isResting = false;

  constructor(number: number, terms: OrderTerms, atMicros: number) {
    this.number = number;
    this.clientOrderId = terms.clientOrderId;
    this.side = terms.side;
    this.price = terms.price;
    this.volume = terms.volume;
    this.createdMicros = atMicros;
    this.remaining = terms.volume;
  }

  /** The exchange's id, made when somebody asks. */
  get orderId(): string {
    return orderIdOf(this.number);
  }
}

/** Our resting orders of one side, best price first, then oldest first. */
export class OwnQueue {
  readonly #isBid: boolean;
  readonly #orders: OwnOrder[] = [];
  /** Of the best order; worse than any price while there is none. */
  #bestPrice: number;

  constructor(side: Side) {
    this.#isBid = side === 'BID';
    this.#bestPrice = this.#isBid ? -Infinity : Infinity;
  }

  get orders(): readonly OwnOrder[] {
    return this.#orders;
  }

  get best(): OwnOrder | undefined {
    return this.#orders[0];
  }

  /** Whether our best order has a price at least as good as `price`. */
  reaches(price: Ticks): boolean {
    return this.#isBid ? price <= this.#bestPrice : price >= this.#bestPrice;
  }

  add(order: OwnOrder): void {
    const orders = this.#orders;
    let index = orders.length;
    orders.push(order);
    // An equal price stays before the newcomer.
    for (; index > 0; index--) {
      const before = orders[index - 1] as OwnOrder;
      if (!this.isBetter(order.price, before.price)) break;
      orders[index] = before;
    }
    orders[index] = order;
    order.isResting = true;
    this.#bestPrice = (orders[0] as OwnOrder).price;
  }

  delete(order: OwnOrder): void {
    const orders = this.#orders;
    for (let index = orders.indexOf(order) + 1; index < orders.length; index++)
      orders[index - 1] = orders[index] as OwnOrder;
    orders.pop();
    order.isResting = false;
    this.#bestPrice = orders[0]?.price ?? (this.#isBid ? -Infinity : Infinity);
  }

  /** Returns whether `price` has priority over `other` on this side. */
  isBetter(price: Ticks, other: Ticks): boolean {
    return this.#isBid ? price > other : price < other;
  }
}
