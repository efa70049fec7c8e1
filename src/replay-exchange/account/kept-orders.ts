/**
 * The orders of one market that can be asked for: all that are open, and those that ended less than
 * a stated time before the last end.
 *
 * They are found by the number in their id, without a table of texts. An order that is out of time
 * is in no answer any more; the memory is given back a thousand ends at a time.
 *
 * Invariants: orders are added by ascending numbers; `pending` has exactly those that were added
 * and have not ended.
 */
import type { OwnOrder } from '../fill-models/own-order.ts';
import { orderIdOf, orderNumberOf } from './order-ids.ts';
import { OrdersByClientId } from './orders-by-client-id.ts';
import type { ReplayOrder } from './replay-order.ts';

/** How many orders end between two looks at what is out of time. */
const endsPerLook = 1_000;

export class KeptOrders {
  readonly #keptMs: number;
  /** By number, from `#first` on; the number of another market's order has none. */
  readonly #recent: (ReplayOrder | undefined)[] = [];
  #first = 1;
  /** By id: those of an earlier life, and those that stayed longer than the ones around them. */
  readonly #older = new Map<string, ReplayOrder>();
  readonly #byClientId = new OrdersByClientId((order) => this.#isKept(order));
  /** As the fill model knows them, oldest first. */
  readonly #pending: OwnOrder[] = [];
  #count = 0;
  #ends = 0;
  #lastEndMs = Number.NEGATIVE_INFINITY;

  /** `keptMs`: how long an order can be asked for after its end. */
  constructor(keptMs: number) {
    this.#keptMs = keptMs;
  }

  /** How many there ever were. */
  get count(): number {
    return this.#count;
  }

  /** How many there are. */
  get size(): number {
    return [...this.values()].length;
  }

  /** Those that have not ended, as the fill model knows them, oldest first. */
  get pending(): readonly OwnOrder[] {
    return this.#pending;
  }

  get(id: string): ReplayOrder | undefined {
    const place = orderNumberOf(id) - this.#first;
    const order = place < 0 ? this.#older.get(id) : this.#recent[place];
    return order !== undefined && order.id === id && this.#isKept(order) ? order : undefined;
  }

  /** Returns an open order by its number; undefined for one that never was or has ended. */
  openOf(number: number): ReplayOrder | undefined {
    const place = number - this.#first;
    return place < 0 ? this.#older.get(orderIdOf(number)) : this.#recent[place];
  }

  /** Returns an open order as the fill model knows it. */
  pendingOf({ id }: ReplayOrder): OwnOrder | undefined {
    const number = orderNumberOf(id);
    const own = this.#pending[this.#placeOf(number)];
    return own?.number === number ? own : undefined;
  }

  byClientId(clientOrderId: string): ReplayOrder | undefined {
    return this.#byClientId.get(clientOrderId);
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

  /** Takes over an order of an earlier life, which has an id of that life. */
  restore(order: ReplayOrder): void {
    this.#count++;
    this.#older.set(order.id, order);
    this.#byClientId.add(order);
  }

  /** Adds a new order; `own` is what the fill model knows of it. */
  add(order: ReplayOrder, own: OwnOrder): void {
    const recent = this.#recent;
    if (recent.length === 0) this.#first = own.number;
    while (this.#first + recent.length < own.number) recent.push(undefined);
    recent.push(order);
    this.#count++;
    this.#pending.push(own);
    this.#byClientId.add(order);
  }

  /** Notes that an order has ended: it is pending no more, and time has gone on. */
  end(order: ReplayOrder, own?: OwnOrder): void {
    if (own !== undefined) this.#leave(own);
    this.#lastEndMs = order.completedMs;
    if (++this.#ends % endsPerLook === 0) this.#forgetOld();
  }

  #leave({ number }: OwnOrder): void {
    const pending = this.#pending;
    for (let place = this.#placeOf(number) + 1; place < pending.length; place++)
      pending[place - 1] = pending[place] as OwnOrder;
    pending.pop();
  }

  /** Returns where the pending order of that number stands, or would. */
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

  #forgetOld(): void {
    for (const order of this.#older.values())
      if (!this.#isKept(order)) this.#older.delete(order.id);
    const recent = this.#recent;
    const beforeMs = this.#lastEndMs - this.#keptMs;
    let count = 0;
    for (; count < recent.length; count++) {
      const order = recent[count];
      if (order === undefined) continue;
      // It and those after it are too young to have ended so long ago.
      if (order.createdMs > beforeMs) break;
      if (this.#isKept(order)) this.#older.set(order.id, order);
    }
    recent.splice(0, count);
    this.#first += count;
  }
}
