/**
 * The orders of one market that can be queried: all open orders, and those that ended less than a
 * given time before the last end of an order.
 *
 * Orders are found by the number in their id, without a table of strings. An expired order is in no
 * answer; its memory is freed once every hundred ends.
 *
 * Invariants: orders are added by ascending number; `pending` contains exactly the added orders
 * that have not ended.
 */
import { TextTable } from '../../domain/text-table.ts';
import type { OwnOrder } from '../fill-models/own-order.ts';
import { orderIdOf, orderNumberOf } from './order-ids.ts';
import type { ReplayOrder } from './replay-order.ts';

/** How many orders end between two removals of expired orders. */
const endsPerRemoval = 100;

export class KeptOrders {
  readonly #keptMs: number;
  /** By number, from `#first` on; undefined at the numbers of other markets' orders. */
  readonly #recent: (ReplayOrder | undefined)[] = [];
  #first = 1;
  /** By id: orders of an earlier process, and orders that outlasted later ones. */
  readonly #older = new Map<string, ReplayOrder>();
  /** The orders above that have a client order id. */
  readonly #byClientId = new TextTable<ReplayOrder>();
  /** The open orders in the fill model, oldest first. */
  readonly #pending: OwnOrder[] = [];
  #count = 0;
  #ends = 0;
  #lastEndMs = Number.NEGATIVE_INFINITY;

  /** `keptMs`: how long an order can be queried after its end. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** The number of orders ever added. */
  get count(): number {
    return this.#count;
  }

  /** The number of orders that can be queried. */
  get size(): number {
    return [...this.values()].length;
  }

  /** The open orders in the fill model, oldest first. */
  get pending(): readonly OwnOrder[] {
    return this.#pending;
  }

  get(id: string): ReplayOrder | undefined {
    const place = orderNumberOf(id) - this.#first;
    const order = place < 0 ? this.#older.get(id) : this.#recent[place];
    return order !== undefined && order.id === id && this.#isKept(order) ? order : undefined;
  }

  /** Returns the order with a number, which must be that of an open order. */
  openOf(number: number): ReplayOrder | undefined {
    const place = number - this.#first;
    return place < 0 ? this.#older.get(orderIdOf(number)) : this.#recent[place];
  }

  /** Returns an open order's counterpart in the fill model. */
  pendingOf({ id }: ReplayOrder): OwnOrder | undefined {
    const number = orderNumberOf(id);
    const own = this.#pending[this.#placeOf(number)];
    return own?.number === number ? own : undefined;
  }

  byClientId(clientOrderId: string): ReplayOrder | undefined {
    const order = this.#byClientId.get(clientOrderId);
    return order !== undefined && this.#isKept(order) ? order : undefined;
  }

  /** Returns the orders, oldest first. */
  *values(): Iterable<ReplayOrder> {
    for (const order of this.#older.values()) if (this.#isKept(order)) yield order;
    for (const order of this.#recent) if (order !== undefined && this.#isKept(order)) yield order;
  }

  /** Returns the ids of the orders, oldest first. */
  *keys(): Iterable<string> {
    for (const { id } of this.values()) yield id;
  }

  /** Adds an order of an earlier process, with the id that it had there. */
  restore(order: ReplayOrder): void {
    this.#count++;
    this.#older.set(order.id, order);
    this.#noteClientId(order);
  }

  /** Adds a new order; `own` is its counterpart in the fill model. */
  add(order: ReplayOrder, own: OwnOrder): void {
    const recent = this.#recent;
    if (recent.length === 0) this.#first = own.number;
    while (this.#first + recent.length < own.number) recent.push(undefined);
    recent.push(order);
    this.#count++;
    this.#pending.push(own);
    this.#noteClientId(order);
  }

  /** An expired order with the same id is no longer found by it. */
  #noteClientId(order: ReplayOrder): void {
    if (order.clientOrderId !== '') this.#byClientId.set(order.clientOrderId, order);
  }

  #forgetClientId(order: ReplayOrder): void {
    this.#byClientId.delete(order.clientOrderId, order);
  }

  /** Notes that an order has ended. `own`: its counterpart in the fill model, if it has one. */
  end(order: ReplayOrder, own?: OwnOrder): void {
    if (own !== undefined) this.#leave(own);
    this.#lastEndMs = order.completedMs;
    if (++this.#ends % endsPerRemoval === 0) this.#removeExpired();
  }

  #leave({ number }: OwnOrder): void {
    const pending = this.#pending;
    for (let place = this.#placeOf(number) + 1; place < pending.length; place++)
      pending[place - 1] = pending[place] as OwnOrder;
    pending.pop();
  }

  /** Returns the index of the pending order with that number, or where it would be. */
  #placeOf(number: number): number {
    let low = 0;
    let high = this.#pending.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#pending[middle] as OwnOrder).number < number) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isKept({ status, completedMs }: ReplayOrder): boolean {
    return status !== 'COMPLETE' || completedMs + this.#keptMs > this.#lastEndMs;
  }

  #removeExpired(): void {
    for (const order of this.#older.values()) {
      if (this.#isKept(order)) continue;
      this.#older.delete(order.id);
      this.#forgetClientId(order);
    }
    const recent = this.#recent;
    const beforeMs = this.#lastEndMs - this.#keptMs;
    let count = 0;
    for (; count < recent.length; count++) {
      const order = recent[count];
      if (order === undefined) continue;
      // This order and those after it are too young to have expired.
      if (order.createdMs > beforeMs) break;
      if (this.#isKept(order)) this.#older.set(order.id, order);
      else this.#forgetClientId(order);
    }
    recent.splice(0, count);
    this.#first += count;
  }
}
