/**
 * Updates our orders from the list of open orders, and reads each order that is missing from it.
 * While many orders are open, the list also replaces their individual polls, which would use up the
 * calls that new orders need.
 *
 * Invariant: absence from the list proves nothing; only its own record ends an order that was not
 * cancelled, or reopens a finished order that is listed.
 */
import { isOpenAfterItsEnd, openAfterItsEnd } from '../orders/after-its-end.ts';
import { applyOrderRecord, reportWrongOrders } from '../orders/apply-order-record.ts';
import type { OrderStates } from '../orders/order-states.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { call, describeFailure, type Procedure, wait } from '../requests/procedure.ts';
import {
  describeIncomplete,
  type ListedOrders,
  walkOpenOrders,
} from '../requests/walk-open-orders.ts';

/** Up to this number, open orders are polled individually: four calls per minute each. */
const singlyMax = 8;
const pollMs = 15_000;

type OrderIds = { readonly orderId: string; readonly clientOrderId: string };

/** Returns every open order, newest first, or why they cannot be read. */
export function* readOpenOrders(): Procedure<ListedOrders | { readonly unreadable: string }> {
  const walk = yield* walkOpenOrders({ priority: 'resolve' });
  if (walk.kind === 'complete') return walk;
  return {
    unreadable:
      walk.kind === 'refused'
        ? `open orders cannot be read: ${describeFailure(walk.failure)}`
        : describeIncomplete(walk.kind),
  };
}

/**
 * Updates our orders from a complete list; open orders that are missing from it are read by id.
 * Returns the ids of unknown orders.
 */
export function applyOpenOrders(
  orders: OrderStates,
  { views, wrong }: ListedOrders,
): readonly OrderIds[] {
  const { tracker } = orders;
  const unknown: OrderIds[] = [];
  const listedIds = new Set<string>();
  for (const { orderId = '', clientOrderId = '' } of [...views, ...wrong]) {
    listedIds.add(orderId);
    const ids = { orderId, clientOrderId };
    if (tracker.find(ids) === undefined) unknown.push(ids);
  }
  reportWrongOrders(orders, wrong);
  for (const view of views) {
    const order = tracker.find(view);
    if (order === undefined) continue;
    applyOrderRecord(orders, order, view, 'open orders');
    if (isOpenAfterItsEnd(orders, order, view)) orders.context.spawn(readEnded(orders, order));
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
    request: () => ({ kind: 'order', clientOrderId: order.clientOrderId }),
  });
  if (reply.kind !== 'ok' || !isOpenAfterItsEnd(orders, order, reply.value)) return;
  if (order.isUnchecked) orders.reopenUnchecked(order, openAfterItsEnd);
  else orders.setState(order, 'open', openAfterItsEnd);
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
