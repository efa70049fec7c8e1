/**
 * All our orders by each of their ids. Final ones stay for a while, since a fill or a zombie may
 * still show up, and then leave: the store has them.
 */
import type { OrderState } from '../../domain/order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How long orders stay that are final, in milliseconds, and how many of them at most. */
export type FinalKept = { readonly ms: number; readonly max: number };

const finalKeptDefault: FinalKept = { ms: 24 * 3_600_000, max: 20_000 };
/** Taking one at a time off a long list would move all the others each time. */
const forgottenMax = 1_000;

export class OrderTracker {
  readonly #byClientOrderId = new Map<string, TrackedOrder>();
  readonly #byOrderId = new Map<string, TrackedOrder>();
  /** Orders that are not final, oldest first; another array when one leaves. */
  #live: TrackedOrder[] = [];
  /** Final ones in the order in which they became so, and when each did. */
  readonly #final: TrackedOrder[] = [];
  readonly #finalMs: number[] = [];
  /** Of the final ones, so many at the beginning are forgotten already. */
  #forgotten = 0;
  readonly #finalKept: FinalKept;

  constructor(finalKept: FinalKept = finalKeptDefault) {
    this.#finalKept = finalKept;
  }

  add(order: TrackedOrder, nowMs: number): void {
    this.#byClientOrderId.set(order.clientOrderId, order);
    this.noteOrderId(order);
    this.noteState(order, nowMs);
  }

  /** Makes the order findable by the exchange's id, once it is known. */
  noteOrderId(order: TrackedOrder): void {
    if (order.orderId !== undefined) this.#byOrderId.set(order.orderId, order);
  }

  /** Gives `order` another of the exchange's ids; the one that it had is not its own. */
  replaceOrderId(order: TrackedOrder, orderId: string): void {
    const { orderId: before } = order;
    // As nearly always: each look at an order names its id again.
    if (before === orderId && this.#byOrderId.get(orderId) === order) return;
    if (before !== undefined && this.#byOrderId.get(before) === order)
      this.#byOrderId.delete(before);
    order.orderId = orderId;
    this.noteOrderId(order);
  }

  /** Moves the order between the live and the final ones. */
  noteState(order: TrackedOrder, nowMs: number): void {
    const isLive = this.#live.includes(order);
    if (!order.isFinal) {
      if (!isLive) this.#live.push(order);
      return;
    }
    // Who goes through the live orders while one leaves goes on over those that there were.
    if (isLive) this.#live = this.#live.filter((one) => one !== order);
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

  /** The order that either id names; our own id counts first, since the exchange made the other. */
  find(ids: {
    readonly orderId: string;
    readonly clientOrderId: string;
  }): TrackedOrder | undefined {
    return this.#byClientOrderId.get(ids.clientOrderId) ?? this.#byOrderId.get(ids.orderId);
  }

  /** Every order that was not final when this was asked for, oldest first, and what came since. */
  get live(): readonly TrackedOrder[] {
    return this.#live;
  }

  get liveCount(): number {
    return this.#live.length;
  }

  /** Number of live orders in `state`, of one pair or of all. */
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
    if (this.#forgotten < forgottenMax) return;
    this.#final.splice(0, this.#forgotten);
    this.#finalMs.splice(0, this.#forgotten);
    this.#forgotten = 0;
  }

  #forget(order: TrackedOrder): void {
    // An order that came to life again after it was final is not forgotten.
    if (!order.isFinal) return;
    this.#byClientOrderId.delete(order.clientOrderId);
    if (order.orderId !== undefined) this.#byOrderId.delete(order.orderId);
  }
}
