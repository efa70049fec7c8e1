/**
 * Our orders on the tape. They are not in history's book: each knows its place in the queue by the
 * arrival number it would have had, and how much of history stands before it.
 */
import type { Side } from '../domain/market.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { orderIdOf } from './order-ids.ts';

export type OrderTerms = {
  /** Empty if the order has none. */
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
};

export class OwnOrder {
  /** Of all orders of the account: 1, 2, … */
  readonly number: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly createdMicros: number;
  /** Orders of history with a lesser number came before. */
  arrival: number;
  remaining: Lots;
  /** Volume of history's orders that came before at this price and are still there. */
  ahead = 0 as Lots;
  /** Whether it stands in the queue of its side. */
  isResting = false;

  constructor(
    number: number,
    terms: OrderTerms,
    { arrival, atMicros }: { readonly arrival: number; readonly atMicros: number },
  ) {
    this.number = number;
    this.clientOrderId = terms.clientOrderId;
    this.side = terms.side;
    this.price = terms.price;
    this.volume = terms.volume;
    this.createdMicros = atMicros;
    this.arrival = arrival;
    this.remaining = terms.volume;
  }

  /** The exchange's id, made when somebody asks. */
  get orderId(): string {
    return orderIdOf(this.number);
  }
}

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
  }

  delete(order: OwnOrder): void {
    const orders = this.#orders;
    for (let index = orders.indexOf(order) + 1; index < orders.length; index++)
      orders[index - 1] = orders[index] as OwnOrder;
    orders.pop();
    order.isResting = false;
  }

  /**
   * An order of history at `price` gives up `volume`: ours that wait behind it have less before
   * them.
   */
  moveUp(price: Ticks, arrival: number, volume: Lots): void {
    for (let index = 0; index < this.#orders.length; index++) {
      const order = this.#orders[index] as OwnOrder;
      if (order.price === price && arrival < order.arrival)
        order.ahead = (order.ahead - volume) as Lots;
    }
  }

  /** Returns whether `price` has priority over `other` on this side. */
  isBetter(price: Ticks, other: Ticks): boolean {
    return this.#side === 'BID' ? price > other : price < other;
  }
}
