/**
 * All our orders by each of their ids. Final orders are kept for a while, because a fill may be
 * late or an order may turn out to be open; afterwards, only the store has them.
 */
import type { OrderState } from '../../domain/order.ts';
import { TextTable } from '../../domain/text-table.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How long final orders are kept, in milliseconds, and their maximum number. */
export type FinalKept = { readonly ms: number; readonly max: number };

const finalKeptDefault: FinalKept = { ms: 24 * 3_600_000, max: 20_000 };

export class OrderTracker {
  readonly #byClientOrderId = new TextTable<TrackedOrder>();
  readonly #byOrderId = new TextTable<TrackedOrder>();
  /** Orders that are not final, oldest first; a new array whenever an order becomes final. */
  #live: TrackedOrder[] = [];
  /** Final orders in the order in which they became final, and when each did. */
  readonly #final: TrackedOrder[] = [];
  readonly #finalMs: number[] = [];
  /** The number of entries at the beginning of the final orders that are already forgotten. */
  #forgotten = 0;
  readonly #finalKept: FinalKept;

  constructor(finalKept: FinalKept = finalKeptDefault) {
    this.#finalKept = finalKept;
  }

  add(order: TrackedOrder, nowMs: number): void {
    this.#byClientOrderId.set(order.clientOrderId, order);
    this.noteOrderId(order);
    if (order.isFinal) this.noteFinal(order, nowMs);
    else this.#live.push(order);
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
    this.#live.push(order);
  }

  /** Moves an order that has become final to the final orders. */
  noteFinal(order: TrackedOrder, nowMs: number): void {
    // A caller that iterates over the live orders meanwhile keeps the old array.
    const place = this.#live.indexOf(order);
    if (place !== -1) this.#live = this.#live.toSpliced(place, 1);
    this.#final.push(order);
    this.#finalMs.push(nowMs);
    this.#forgetOld(nowMs);
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

  /** The orders that are not final, oldest first; new orders are appended to the same array. */
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

  #forgetOld(nowMs: number): void {
    const { ms, max } = this.#finalKept;
    for (;;) {
      const oldest = this.#final[this.#forgotten];
      const count = this.#final.length - this.#forgotten;
      const atMs = this.#finalMs[this.#forgotten] ?? 0;
      if (oldest === undefined || (atMs > nowMs - ms && count <= max)) break;
      this.#forgotten++;
      this.#forget(oldest);
    }
    // A removal moves all others, so forgotten orders are removed many at once.
    if (this.#forgotten * 2 < this.#final.length) return;
    this.#final.splice(0, this.#forgotten);
    this.#finalMs.splice(0, this.#forgotten);
    this.#forgotten = 0;
  }

  #forget(order: TrackedOrder): void {
    // An order that turned out to be open after it was final is kept.
    if (!order.isFinal) return;
    this.#byClientOrderId.delete(order.clientOrderId);
    if (order.orderId !== undefined) this.#byOrderId.delete(order.orderId);
  }
}
