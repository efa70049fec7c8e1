/**
 * Reads the records of cancelled orders that ended without one (see `end-by-stream.ts`). One list
 * of closed orders checks many of them; an order that it does not show is read by our own id.
 *
 *     record complete, sums as booked ──▶ checked
 *     record complete, other sums ──────▶ completing, until our fills add up to the record
 *     record still open ────────────────▶ stopped again; after a minute it is tracked again, the
 *                                         strategy is halted, and the stream ends no more orders
 *
 * Invariant: an order stays unchecked, through restarts, until a complete record of it has been
 * read, or no read has found it for a minute.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { OrderView } from '../../venue/venue-reply.ts';
import { isOpenAfterItsEnd, openAfterItsEnd } from '../orders/after-its-end.ts';
import {
  applyOrderRecord,
  reportWrongOrders,
  takeOrderReply,
} from '../orders/apply-order-record.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { equalSums } from '../orders/sums.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { call, type Procedure, Signal, wait } from '../requests/procedure.ts';

/** The time between lists, and the same while orders need the calls. */
const paceMs = 1_000;
const busyPaceMs = 20_000;
/** The shortest list that is read. */
const shortListMax = 100;
/** The most orders that are read one by one after a list. */
const singlyMax = 5;
/** With more unchecked orders, further ones are read at once. */
const uncheckedMax = 500;

export class EndChecks {
  readonly #orders: OrderStates;
  /** Whether few calls were sent within the last minute. */
  readonly #hasRoom: () => boolean;
  readonly #unchecked = new Set<TrackedOrder>();
  readonly #added = new Signal();

  constructor(orders: OrderStates, hasRoom: () => boolean) {
    this.#orders = orders;
    this.#hasRoom = hasRoom;
  }

  /** Whether another order may end before its record is read. */
  get mayAdd(): boolean {
    return this.#unchecked.size < uncheckedMax;
  }

  /** Adds an order that has ended without a record. */
  add(order: TrackedOrder): void {
    this.#unchecked.add(order);
    this.#added.raise();
  }

  /** Runs forever. */
  *run(): Procedure {
    for (;;) {
      if (this.#unchecked.size === 0) yield* wait(Number.POSITIVE_INFINITY, this.#added);
      yield* wait(paceMs);
      if (!this.#hasRoom()) yield* wait(busyPaceMs - paceMs);
      yield* this.pass();
    }
  }

  /** The number of orders whose records have not been read. */
  get count(): number {
    this.#dropChecked();
    return this.#unchecked.size;
  }

  /** Reads the list of closed orders once, and some orders that it does not show. */
  *pass(): Procedure {
    const { context, readLag } = this.#orders;
    this.#dropChecked();
    if (this.#unchecked.size === 0) return;
    // They are among the newest closed orders, so a much longer list shows nothing more of them.
    const newest = Math.max(shortListMax, 2 * this.#unchecked.size);
    const reply = yield* call({
      priority: 'read',
      request: () => ({ kind: 'orders', which: 'ended', newest }),
    });
    if (reply.kind !== 'ok') return;
    reportWrongOrders(this.#orders, reply.value.wrong);
    const records = new Map(reply.value.rows.map((view) => [view.clientOrderId, view]));
    for (const order of this.#unchecked) {
      const record = records.get(order.clientOrderId);
      if (record !== undefined) this.#check(order, record, 'ended orders');
    }
    this.#dropChecked();
    const overdueMs = context.nowMs - readLag.allowanceMs;
    const missing = [...this.#unchecked].filter(
      ({ isFinal, completedMs = 0 }) => isFinal && completedMs < overdueMs,
    );
    for (const order of missing.slice(0, singlyMax)) {
      // To the end, so that one that cannot be read does not keep others from their turn.
      this.#unchecked.delete(order);
      this.#unchecked.add(order);
      yield* this.#readSingly(order);
    }
  }

  #dropChecked(): void {
    for (const order of this.#unchecked) if (!order.isUnchecked) this.#unchecked.delete(order);
  }

  /** Takes a record of the order; one that is not complete proves nothing here. */
  #check(order: TrackedOrder, record: OrderView, proof: string): void {
    const orders = this.#orders;
    applyOrderRecord(orders, order, record, proof);
    this.#compare(order, record, proof);
  }

  /** Compares the complete record of a final order with our fills. */
  #compare(order: TrackedOrder, { sums }: OrderView, proof: string): void {
    if (order.isUnchecked || !order.isFinal) return;
    const orders = this.#orders;
    const base = formatAmount(sums.base);
    if (equalSums(sums, order.booked)) {
      orders.storeWithProof(order, () => `${proof}: complete, base ${base}, as booked`);
      return;
    }
    order.reported = sums;
    orders.correct(order, `${proof}: complete, base ${base}, which differs from our fills`);
  }

  *#readSingly(order: TrackedOrder): Procedure {
    if (!order.isUnchecked) return;
    const reply = yield* call({
      priority: 'read',
      request: () => ({ kind: 'order', clientOrderId: order.clientOrderId }),
    });
    if (!order.isUnchecked || !order.isFinal) return;
    const { context, venue } = this.#orders;
    const sinceMs = context.nowMs - (order.completedMs ?? 0);
    const isNotFound = reply.kind === 'refused' && reply.reason === 'not-found';
    if (isNotFound && sinceMs > venue.reads.endLagMs) {
      order.isUnchecked = false;
      context.incident(
        'ORDER_MISSING',
        `cancelled order ${order.clientOrderId} (${order.orderId}) has not been found since its end, so its fills are compared with the ledger only`,
      );
    }
    const record = takeOrderReply(this.#orders, order, reply);
    if (record === undefined) return;
    this.#compare(order, record, 'its record');
    if (record.clientOrderId !== order.clientOrderId || !order.isUnchecked) return;
    if (isOpenAfterItsEnd(this.#orders, order, record))
      this.#orders.reopenUnchecked(order, openAfterItsEnd);
    else if (!record.isEnded) yield* stopAgain(order, record);
  }
}

/** Reads may lag, so an open record proves nothing at first; another stop does no harm. */
function* stopAgain(order: TrackedOrder, { orderId }: OrderView): Procedure {
  yield* call({
    priority: 'cancel',
    request: () => (order.isUnchecked ? { kind: 'cancel', orderId } : undefined),
  });
}
