/**
 * All our orders by each of their ids. Final orders are kept for a while, because a fill may be
 * late or an order may turn out to be open; afterwards, only the store has them.
 */
import type { OrderState } from '../../domain/order.ts';
import { TextTable } from '../../domain/text-table.ts';
import type { TrackedOrder } from './tracked-order.ts';

/**
 * How long final orders are kept at least, in milliseconds, unless `max` others become
 * final meanwhile. At most twice `max` are kept.
 */
export type FinalKept = { readonly ms: number; readonly max: number };

const finalKeptDefault: FinalKept = { ms: 24 * 3_600_000, max: 20_000 };

export class OrderTracker {
  readonly #byClientOrderId = new OrderIndex();
  readonly #byOrderId = new OrderIndex();
  /** Orders that are not final, oldest first. */
  readonly #live: TrackedOrder[] = [];
  /** How many orders have become final since the last time that old ones were forgotten. */
  #finals = 0;
  /** When the first of them became final. */
  #finalsFromMs = 0.5;
  readonly #finalKept: FinalKept;

  constructor(finalKept: FinalKept = finalKeptDefault) {
    this.#finalKept = finalKept;
  }

  add(order: TrackedOrder, nowMs: number): void {
    this.keep(order);
    if (order.isFinal) this.noteFinal(order, nowMs);
    else this.#live.push(order);
  }

  /** Indexes the order, which may have been forgotten, as if it had just become final. */
  keep(order: TrackedOrder): void {
    this.#byClientOrderId.set(order.clientOrderId, order);
    this.noteOrderId(order);
  }

  /** Indexes the order by the exchange's id, once it is known. */
  noteOrderId(order: TrackedOrder): void {
    if (order.orderId !== undefined) this.#byOrderId.set(order.orderId, order);
  }

  /** Sets the exchange's id of `order`; a different earlier id belongs to another order. */
  replaceOrderId(order: TrackedOrder, orderId: string): void {
    const { orderId: before } = order;
    // The usual case: every record of an order repeats its id.
    if (before === orderId && this.#byOrderId.get(orderId) === order) return;
    if (before !== undefined && this.#byOrderId.get(before) === order)
      this.#byOrderId.delete(before);
    order.orderId = orderId;
    this.noteOrderId(order);
  }

  /** Moves an order that turned out to be open to the live orders. */
  noteRevived(order: TrackedOrder): void {
    this.keep(order);
    this.#live.push(order);
  }

  /** Moves an order that has become final to the final orders. */
  noteFinal(order: TrackedOrder, nowMs: number): void {
    removeFrom(this.#live, order);
    if (this.#finals++ === 0) this.#finalsFromMs = nowMs;
    const { ms, max } = this.#finalKept;
    if (this.#finals >= max || nowMs - this.#finalsFromMs > ms) this.#forgetOld();
  }

  /** Forgets the orders that were final when this was last called. */
  #forgetOld(): void {
    this.#finals = 0;
    this.#byClientOrderId.forgetOlder();
    this.#byOrderId.forgetOlder();
    for (const order of this.#live) this.keep(order);
  }

  byClientOrderId(clientOrderId: string): TrackedOrder | undefined {
    return this.#byClientOrderId.get(clientOrderId);
  }

  byOrderId(orderId: string): TrackedOrder | undefined {
    return this.#byOrderId.get(orderId);
  }

  /** The order with either id; our own id takes precedence over the exchange's. */
  find(ids: {
    readonly orderId: string;
    readonly clientOrderId: string;
  }): TrackedOrder | undefined {
    return this.#byClientOrderId.get(ids.clientOrderId) ?? this.#byOrderId.get(ids.orderId);
  }

  /**
   * The orders that are not final, oldest first. The list is updated in place, so whoever may end
   * or begin an order while reading it takes a copy.
   */
  get live(): readonly TrackedOrder[] {
    return this.#live;
  }

  get liveCount(): number {
    return this.#live.length;
  }

  /** The number of live orders in `state`, of one pair or of all pairs. */
  count(state: OrderState, pair?: string): number {
    let count = 0;
    for (const order of this.#live)
      if (order.state === state && (pair === undefined || order.pair === pair)) count++;
    return count;
  }
}

/** Removes an order from a list. A loop, since `splice` would make a list of what it removes. */
function removeFrom(orders: TrackedOrder[], order: TrackedOrder): void {
  const place = orders.indexOf(order);
  if (place === -1) return;
  for (let at = place + 1; at < orders.length; at++) orders[at - 1] = orders[at] as TrackedOrder;
  orders.pop();
}

/**
 * Orders by one of their ids, in an older and a newer table, so that many are forgotten at once:
 * to remove each order on its own would cost more than all look-ups.
 */
class OrderIndex {
  #newer = new TextTable<TrackedOrder>();
  #older = new TextTable<TrackedOrder>();

  get(id: string): TrackedOrder | undefined {
    return this.#newer.get(id) ?? this.#older.get(id);
  }

  set(id: string, order: TrackedOrder): void {
    this.#newer.set(id, order);
  }

  delete(id: string): void {
    this.#newer.delete(id);
    this.#older.delete(id);
  }

  /** Forgets the orders that have not been set since this was last called. */
  forgetOlder(): void {
    const forgotten = this.#older;
    forgotten.clear();
    this.#older = this.#newer;
    this.#newer = forgotten;
  }
}
