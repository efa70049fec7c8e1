/**
 * What the orders of a strategy's `place` intents have traded, by their keys: the newest
 * {@link keptFills}.ordersMax of them, also long after their end.
 */
import type { Sums } from '../../domain/amount.ts';
import { keptFills } from '../../domain/kept-fills.ts';

type PlacedOrder = { readonly pair: string; readonly sums: Sums };

/** Of most orders nothing more is known. */
const untraded: PlacedOrder = {
  pair: '',
  sums: { base: 0n, counter: 0n, feeBase: 0n, feeCounter: 0n },
};

export class PlacedOrders {
  readonly #orders = new Map<string, PlacedOrder>();
  /** The keys in order, each in the place of the one that it has replaced. */
  readonly #keys: string[] = [];
  #count = 0;

  /** Adds an order that is newer than all others and has traded nothing. */
  add(key: string): void {
    const place = this.#count++ % keptFills.ordersMax;
    const replaced = this.#keys[place];
    if (replaced !== undefined) this.#orders.delete(replaced);
    this.#keys[place] = key;
    this.#orders.set(key, untraded);
  }

  /** Notes what an order has traded up to now; nothing if it is no longer kept. */
  note(key: string, pair: string, sums: Sums): void {
    if (this.#orders.has(key)) this.#orders.set(key, { pair, sums });
  }

  /** Returns what an order has traded on a pair; undefined if it is not among them. */
  tradedOn(pair: string, key: string): Sums | undefined {
    const order = this.#orders.get(key);
    return order === undefined || order.pair === pair ? order?.sums : untraded.sums;
  }
}
