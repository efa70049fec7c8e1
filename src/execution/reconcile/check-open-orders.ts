/**
 * Updates our orders from the list of open orders, and reads each order that is missing from it.
 * While many orders are open, the list also replaces their individual polls, which would use up the
 * calls that new orders need.
 *
 * Invariant: absence from the list proves nothing; only its own record ends an order that was not
 * cancelled, or reopens a finished order that is listed.
 */
import type { OrderRecord } from '../../venues/luno/api/operations/order-operations.ts';
import { isOpenAfterItsEnd } from '../orders/after-its-end.ts';
import { applyOrderRecord } from '../orders/apply-order-record.ts';
import type { OrderStates } from '../orders/order-states.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { call, describeReply, type Procedure, wait } from '../requests/procedure.ts';
import { describeIncomplete, walkOpenOrders } from '../requests/walk-open-orders.ts';

/** Up to this number, open orders are polled individually: four calls per minute each. */
const singlyMax = 8;
const pollMs = 15_000;

/** Returns every open order, newest first, or why they cannot be read. */
export function* readOpenOrders(): Procedure<
  readonly OrderRecord[] | { readonly unreadable: string }
> {
  const walk = yield* walkOpenOrders({ priority: 'resolve' });
  if (walk.kind === 'complete') return walk.records;
  return {
    unreadable:
      walk.kind === 'refused'
        ? `open orders cannot be read: ${describeReply(walk.reply)}`
        : describeIncomplete(walk.kind),
  };
}

/**
 * Updates our orders from a complete list; open orders that are missing from it are read by id.
 * Returns the records of unknown orders.
 */
export function applyOpenOrders(
  orders: OrderStates,
  listed: readonly OrderRecord[],
): readonly OrderRecord[] {
  const { tracker } = orders;
  const unknown: OrderRecord[] = [];
  const listedIds = new Set<string>();
  for (const record of listed) {
    const { order_id: orderId, client_order_id: clientOrderId } = record;
    listedIds.add(orderId);
    const order = tracker.find({ orderId, clientOrderId });
    if (order === undefined) {
      unknown.push(record);
      continue;
    }
    applyOrderRecord(orders, order, record, 'open orders');
    if (isOpenAfterItsEnd(orders, order, record)) orders.context.spawn(readEnded(orders, order));
  }
  for (const order of [...tracker.live]) {
    // The order may have closed after the list was made, so it is read by id.
    if (order.state !== 'open' || order.orderId === undefined) continue;
    if (listedIds.has(order.orderId)) continue;
    order.completionHinted = true;
    order.changed.raise();
  }
  return unknown;
}

/**
 * Reads the order's own record, since the list may come from a cache. If that is open too, the
 * earlier record, which reported it as complete, was wrong, and the order is tracked again.
 */
function* readEnded(orders: OrderStates, order: TrackedOrder): Procedure {
  const reply = yield* call({
    priority: 'resolve',
    operation: 'getOrderV3',
    parameters: () => ({ client_order_id: order.clientOrderId }),
  });
  if (reply.kind !== 'ok') return;
  const record = reply.body;
  if (!isOpenAfterItsEnd(orders, order, record)) return;
  const proof = `get order v3 after its end: ${record.status}`;
  if (order.isUnchecked) orders.reopenUnchecked(order, proof);
  else orders.setState(order, 'open', proof);
}

/** Runs forever: polls with one list while many orders are open. */
export function* pollOpenOrders(orders: OrderStates): Procedure {
  for (;;) {
    yield* wait(pollMs);
    orders.isPolledByList = orders.tracker.count('open') > singlyMax;
    if (!orders.isPolledByList || orders.isCancellingAll) continue;
    const listed = yield* readOpenOrders();
    // Without a list, each order is polled individually again.
    orders.isPolledByList = !('unreadable' in listed);
    if (!('unreadable' in listed)) applyOpenOrders(orders, listed);
  }
}
