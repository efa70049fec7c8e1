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
import { limits } from '../../venues/luno/api/limits.ts';
import type { OrderRecord } from '../../venues/luno/api/operations/order-operations.ts';
import { endShownMs, isOpenAfterItsEnd } from '../orders/after-its-end.ts';
import { applyOrderRecord } from '../orders/apply-order-record.ts';
import type { OrderStates } from '../orders/order-states.ts';
import { isOrderNotFound } from '../orders/place-outcome.ts';
import { equalSums, parseSums } from '../orders/sums.ts';
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
    const wanted = Math.max(shortListMax, 2 * this.#unchecked.size);
    const limit = Math.min(wanted, limits.listLimitMax);
    const reply = yield* call({
      priority: 'read',
      operation: 'listOrdersV2',
      parameters: () => ({ closed: true, limit }),
    });
    if (reply.kind !== 'ok') return;
    const records = new Map(reply.body.orders.map((record) => [record.client_order_id, record]));
    for (const order of this.#unchecked) {
      const record = records.get(order.clientOrderId);
      if (record !== undefined) this.#check(order, record, 'closed orders');
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
  #check(order: TrackedOrder, record: OrderRecord, proof: string): void {
    const orders = this.#orders;
    applyOrderRecord(orders, order, record, proof);
    const sums = parseSums(record);
    if (order.isUnchecked || !order.isFinal || sums === undefined) return;
    const { base } = record;
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
      operation: 'getOrderV3',
      parameters: () => ({ client_order_id: order.clientOrderId }),
    });
    if (!order.isUnchecked || !order.isFinal) return;
    const { context } = this.#orders;
    const sinceMs = context.nowMs - (order.completedMs ?? 0);
    if (isOrderNotFound(reply) && sinceMs > endShownMs) {
      order.isUnchecked = false;
      context.incident(
        'ORDER_MISSING',
        `cancelled order ${order.clientOrderId} (${order.orderId}) has not been found for a minute, so its fills are compared with the ledger only`,
      );
    }
    if (reply.kind !== 'ok') return;
    const record = reply.body;
    this.#check(order, record, 'get order v3');
    if (record.client_order_id !== order.clientOrderId || !order.isUnchecked) return;
    if (isOpenAfterItsEnd(this.#orders, order, record))
      this.#orders.reopenUnchecked(order, `get order v3 after its end: ${record.status}`);
    else if (record.status !== 'COMPLETE') yield* stopAgain(order, record);
  }
}

/** Reads may lag, so an open record proves nothing at first; another stop does no harm. */
function* stopAgain(order: TrackedOrder, record: OrderRecord): Procedure {
  yield* call({
    priority: 'cancel',
    operation: 'stoporder',
    parameters: () => (order.isUnchecked ? { order_id: record.order_id } : undefined),
  });
}
