/**
 * Orders by client order id, in an open-addressing hash table. Orders are never removed; when the
 * table is half full, it is rebuilt with the orders that are still needed.
 *
 * Invariant: each id occurs once.
 */
import type { ReplayOrder } from './replay-order.ts';

const initialLength = 64;

export class OrdersByClientId {
  readonly #isNeeded: (order: ReplayOrder) => boolean;
  /** The orders; the hash of each is at the same index. The length is a power of two. */
  #orders: (ReplayOrder | undefined)[] = Array(initialLength).fill(undefined);
  #hashes = new Int32Array(initialLength);
  #count = 0;

  /** `isNeeded`: whether an order can still be looked up. */
  constructor(isNeeded: (order: ReplayOrder) => boolean) {
    this.#isNeeded = isNeeded;
  }

  /** Returns the order with an id, if it is still needed. */
  get(clientOrderId: string): ReplayOrder | undefined {
    const order = this.#orders[this.#placeOf(clientOrderId, hashOf(clientOrderId))];
    return order !== undefined && this.#isNeeded(order) ? order : undefined;
  }

  /** Adds an order, replacing an earlier one with the same id; ignores an order without an id. */
  add(order: ReplayOrder): void {
    if (order.clientOrderId === '') return;
    if (this.#count * 2 >= this.#orders.length) this.#rebuild();
    this.#put(order, hashOf(order.clientOrderId));
  }

  #put(order: ReplayOrder, hash: number): void {
    const place = this.#placeOf(order.clientOrderId, hash);
    if (this.#orders[place] === undefined) this.#count++;
    this.#orders[place] = order;
    this.#hashes[place] = hash;
  }

  /** Returns the index of the order with an id, or the free index where it would be stored. */
  #placeOf(clientOrderId: string, hash: number): number {
    const orders = this.#orders;
    const last = orders.length - 1;
    let place = hash & last;
    for (;;) {
      const order = orders[place];
      if (order === undefined) return place;
      if (this.#hashes[place] === hash && order.clientOrderId === clientOrderId) return place;
      place = (place + 1) & last;
    }
  }

  #rebuild(): void {
    const orders = this.#orders;
    const hashes = this.#hashes;
    let needed = 0;
    for (let place = 0; place < orders.length; place++) {
      const order = orders[place];
      if (order === undefined) continue;
      if (this.#isNeeded(order)) needed++;
      else orders[place] = undefined;
    }
    let length = initialLength;
    while (length < needed * 4) length *= 2;
    this.#orders = Array(length).fill(undefined);
    this.#hashes = new Int32Array(length);
    this.#count = 0;
    for (let place = 0; place < orders.length; place++) {
      const order = orders[place];
      if (order !== undefined) this.#put(order, hashes[place] as number);
    }
  }
}

function hashOf(text: string): number {
  let hash = text.length;
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  // The low bits are the index, so mix the high bits into them.
  return hash ^ (hash >>> 15);
}
