/**
 * Orders by our own ids for them, in two generations: an order stays for a whole generation at
 * least, and is then dropped with all of its own, without being taken out one by one.
 */
import type { ReplayOrder } from './replay-order.ts';

export class OrdersByClientId {
  #young = new Map<string, ReplayOrder>();
  #old = new Map<string, ReplayOrder>();

  get(clientOrderId: string): ReplayOrder | undefined {
    return this.#young.get(clientOrderId) ?? this.#old.get(clientOrderId);
  }

  /** Takes an order in, unless it has no id of ours. */
  add(order: ReplayOrder): void {
    if (order.clientOrderId !== '') this.#young.set(order.clientOrderId, order);
  }

  /** Begins a generation: of the one before the last, only what `isKept` says stays. */
  turn(isKept: (order: ReplayOrder) => boolean): void {
    const dropped = this.#old;
    this.#old = this.#young;
    this.#young = new Map();
    for (const order of dropped.values()) if (isKept(order)) this.add(order);
  }
}
