/**
 * The orders of one market that can be queried: all open orders, and those that ended less than a
 * given time before the last end of an order.
 *
 * Orders are in a ring, each at the number in its id. What decides when an order is dropped is
 * beside it in columns: the order itself was last used minutes ago, and reading it again would wait
 * for the memory.
 *
 * Invariant: orders are added by ascending number.
 */
import { TextTable } from '../../domain/text-table.ts';
import type { OwnOrder } from '../fill-models/own-order.ts';
import { orderIdOf, orderNumberOf } from './order-ids.ts';
import type { ReplayOrder } from './replay-order.ts';

/** How many orders end between two removals of expired orders that are not in the ring. */
const endsPerRemoval = 100;
const initialLength = 16;

export class KeptOrders {
  readonly #keptMs: number;
  // The ring has the numbers from `#first` up to, but not including, `#next`; its length is a power
  // of two. There is no order at the numbers of other markets' orders.
  #orders: (ReplayOrder | undefined)[] = Array(initialLength).fill(undefined);
  /** When each order ended; infinite while it is open. */
  #endsMs = new Float64Array(initialLength);
  /** The hash of each order's client order id. */
  #hashes = new Int32Array(initialLength);
  #first = 1;
  #next = 1;
  /** By id: orders of an earlier process, and orders that outlasted later ones. */
  readonly #older = new Map<string, ReplayOrder>();
  /** The orders above that have a client order id. */
  readonly #byClientId = new TextTable<ReplayOrder>();
  /** The counterparts of open orders in the fill model, oldest first; there are few. */
  readonly #open: OwnOrder[] = [];
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
    return this.#open;
  }

  get(id: string): ReplayOrder | undefined {
    const number = orderNumberOf(id);
    const order = this.#has(number) ? this.#orders[this.#placeOf(number)] : this.#older.get(id);
    return order !== undefined && order.id === id && this.#isKept(order) ? order : undefined;
  }

  /** Returns the order with a number, which must be that of an open order. */
  openOf(number: number): ReplayOrder | undefined {
    return this.#has(number)
      ? this.#orders[this.#placeOf(number)]
      : this.#older.get(orderIdOf(number));
  }

  /** Returns an open order's counterpart in the fill model, by the order's id. */
  pendingOf(id: string): OwnOrder | undefined {
    const number = orderNumberOf(id);
    for (const own of this.#open)
      if (own.number === number) return this.openOf(number)?.id === id ? own : undefined;
    return undefined;
  }

  byClientId(clientOrderId: string): ReplayOrder | undefined {
    const order = this.#byClientId.get(clientOrderId);
    return order !== undefined && this.#isKept(order) ? order : undefined;
  }

  /** Returns the orders, oldest first. */
  *values(): Iterable<ReplayOrder> {
    for (const order of this.#older.values()) if (this.#isKept(order)) yield order;
    for (const number of this.#numbers()) {
      const order = this.#orders[this.#placeOf(number)];
      if (order !== undefined && this.#isKept(order)) yield order;
    }
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
    const { number } = own;
    if (this.#first === this.#next) this.#first = this.#next = number;
    while (number - this.#first >= this.#orders.length) this.#grow();
    while (this.#next < number) this.#endsMs[this.#placeOf(this.#next++)] = -Infinity;
    const place = this.#placeOf(number);
    this.#orders[place] = order;
    this.#open.push(own);
    this.#endsMs[place] = Infinity;
    this.#hashes[place] = this.#noteClientId(order);
    this.#next = number + 1;
    this.#count++;
  }

  /** Notes that an order has ended. `own`: its counterpart in the fill model, if it has one. */
  end(order: ReplayOrder, own?: OwnOrder): void {
    const { completedMs } = order;
    if (own !== undefined) {
      this.#leave(own);
      if (this.#has(own.number)) this.#endsMs[this.#placeOf(own.number)] = completedMs;
    }
    this.#lastEndMs = completedMs;
    this.#dropExpired(completedMs - this.#keptMs);
    if (++this.#ends % endsPerRemoval === 0) this.#dropOlder();
  }

  /** Unlike `splice`, this makes no list of what it removes. */
  #leave(own: OwnOrder): void {
    const open = this.#open;
    for (let at = open.indexOf(own) + 1; at < open.length; at++)
      open[at - 1] = open[at] as OwnOrder;
    open.pop();
  }

  #has(number: number): boolean {
    return number >= this.#first && number < this.#next;
  }

  #placeOf(number: number): number {
    return number & (this.#orders.length - 1);
  }

  #numbers(): readonly number[] {
    return Array.from({ length: this.#next - this.#first }, (_, index) => this.#first + index);
  }

  #isKept({ status, completedMs }: ReplayOrder): boolean {
    return status !== 'COMPLETE' || completedMs > this.#lastEndMs - this.#keptMs;
  }

  /** Returns the hash. An expired order with the same id is no longer found by it. */
  #noteClientId(order: ReplayOrder): number {
    const { clientOrderId } = order;
    return clientOrderId === '' ? 0 : this.#byClientId.set(clientOrderId, order);
  }

  /** Drops the first orders of the ring up to one that is kept, which must be younger. */
  #dropExpired(beforeMs: number): void {
    for (; this.#first < this.#next; this.#first++) {
      const place = this.#placeOf(this.#first);
      const order = this.#orders[place];
      const endMs = this.#endsMs[place] as number;
      if (order !== undefined && endMs > beforeMs) {
        if (endMs !== Infinity || order.createdMs > beforeMs) return;
        this.#older.set(order.id, order);
      } else if (order !== undefined) this.#byClientId.remove(this.#hashes[place] as number, order);
      this.#orders[place] = undefined;
    }
  }

  #dropOlder(): void {
    for (const order of this.#older.values()) {
      if (this.#isKept(order)) continue;
      this.#older.delete(order.id);
      this.#byClientId.delete(order.clientOrderId, order);
    }
  }

  #grow(): void {
    const [orders, endsMs, hashes] = [this.#orders, this.#endsMs, this.#hashes];
    const length = orders.length * 2;
    this.#orders = Array(length).fill(undefined);
    this.#endsMs = new Float64Array(length);
    this.#hashes = new Int32Array(length);
    for (const number of this.#numbers()) {
      const before = number & (orders.length - 1);
      const place = this.#placeOf(number);
      this.#orders[place] = orders[before];
      this.#endsMs[place] = endsMs[before] as number;
      this.#hashes[place] = hashes[before] as number;
    }
  }
}
