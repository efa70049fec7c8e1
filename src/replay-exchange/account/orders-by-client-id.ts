/**
 * Orders by our own ids for them. A table with open addresses, since each order is looked for and
 * added once: no order is taken out, the table is made anew of those that are still wanted when it
 * is half full.
 *
 * Invariant: an id is in it once.
 */
import type { ReplayOrder } from './replay-order.ts';

const least = 64;

export class OrdersByClientId {
  readonly #isWanted: (order: ReplayOrder) => boolean;
  /** The order in each place; its hash is at the same place. The length is a power of two. */
  #orders: (ReplayOrder | undefined)[] = Array(least).fill(undefined);
  #hashes = new Int32Array(least);
  #count = 0;

  /** `isWanted`: whether an order must still be found. */
  constructor(isWanted: (order: ReplayOrder) => boolean) {
    this.#isWanted = isWanted;
  }

  /** Returns the order of an id, if it is wanted. */
  get(clientOrderId: string): ReplayOrder | undefined {
    const order = this.#orders[this.#placeOf(clientOrderId, hashOf(clientOrderId))];
    return order !== undefined && this.#isWanted(order) ? order : undefined;
  }

  /** Takes an order in, in the place of an earlier one of the same id; does nothing without one. */
  add(order: ReplayOrder): void {
    if (order.clientOrderId === '') return;
    if (this.#count * 2 >= this.#orders.length) this.#renew();
    this.#put(order, hashOf(order.clientOrderId));
  }

  #put(order: ReplayOrder, hash: number): void {
    const place = this.#placeOf(order.clientOrderId, hash);
    if (this.#orders[place] === undefined) this.#count++;
    this.#orders[place] = order;
    this.#hashes[place] = hash;
  }

  /** Returns where the order of an id stands, or the free place where it would. */
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

  #renew(): void {
    const orders = this.#orders;
    const hashes = this.#hashes;
    let wanted = 0;
    for (let place = 0; place < orders.length; place++) {
      const order = orders[place];
      if (order === undefined) continue;
      if (this.#isWanted(order)) wanted++;
      else orders[place] = undefined;
    }
    let length = least;
    while (length < wanted * 4) length *= 2;
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
  // The low bits are the place.
  return hash ^ (hash >>> 15);
}
