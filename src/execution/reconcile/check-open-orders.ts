/**
 * The list of open orders: what it shows is taken into our orders, and those that it does not show
 * are read one by one. While many orders are open it also takes the place of their own polls, which
 * would otherwise use up the calls that new orders need.
 *
 * Invariant: that an order is in no list proves nothing; only its own record ends it, and brings it
 * back if it is listed although it had ended.
 */
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import { applyOrderRecord } from '../orders/apply-order-record.ts';
import type { OrderStates } from '../orders/order-states.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';
import { call, describeReply, type Procedure, wait } from '../requests/procedure.ts';
import { describeIncomplete, walkOpenOrders } from '../requests/walk-open-orders.ts';

/** Up to so many open orders poll by themselves: four calls a minute each. */
const singlyMax = 8;
const pollMs = 15_000;
/** An end that was seen longer ago than this is in the lists too, however far they lag. */
const endShownMs = 60_000;

/** Reads every open order, newest first; or returns why that is not possible. */
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
 * Takes a complete list into our orders; open ones that it does not show are read by their ids.
 * Returns the records of orders that we do not know.
 */
export function applyOpenOrders(
  orders: OrderStates,
  listed: readonly OrderRecord[],
): readonly OrderRecord[] {
  const { tracker } = orders;
  const strange: OrderRecord[] = [];
  const listedIds = new Set<string>();
  for (const record of listed) {
    const { order_id: orderId, client_order_id: clientOrderId } = record;
    listedIds.add(orderId);
    const order = tracker.find({ orderId, clientOrderId });
    if (order === undefined) {
      strange.push(record);
      continue;
    }
    applyOrderRecord(orders, order, record, 'open orders');
    if (isOpenAfterItsEnd(orders, order, record)) orders.context.spawn(readEnded(orders, order));
  }
  for (const order of tracker.live) {
    // One that closed since the list was made is in no later one either: it is read by its id.
    if (order.state !== 'open' || order.orderId === undefined) continue;
    if (listedIds.has(order.orderId)) continue;
    order.completionHinted = true;
    order.changed.raise();
  }
  return strange;
}

/** Whether an order that is long done for us is listed as if it were not. */
function isOpenAfterItsEnd(
  { context }: OrderStates,
  order: TrackedOrder,
  { status, completed_timestamp: completedMs }: OrderRecord,
): boolean {
  if (order.state !== 'filled' && order.state !== 'cancelled') return false;
  const isListedAsOpen = status !== 'COMPLETE' && completedMs === 0;
  return isListedAsOpen && context.nowMs - (order.completedMs ?? 0) > endShownMs;
}

/**
 * The list may be a cached one, so that the order's own record is asked. If that is open too, the
 * one that said complete was wrong: the order rests, and nobody follows it.
 */
function* readEnded(orders: OrderStates, order: TrackedOrder): Procedure {
  const reply = yield* call({
    priority: 'resolve',
    operation: 'getOrderV3',
    parameters: () => ({ client_order_id: order.clientOrderId }),
  });
  if (reply.kind !== 'ok') return;
  const record = reply.body;
  if (record.client_order_id !== order.clientOrderId) return;
  if (isOpenAfterItsEnd(orders, order, record))
    orders.setState(order, 'open', `get order v3 after its end: ${record.status}`);
}

/** Runs for ever: one list for all while many orders are open. */
export function* pollOpenOrders(orders: OrderStates): Procedure {
  for (;;) {
    yield* wait(pollMs);
    orders.isPolledByList = orders.tracker.count('open') > singlyMax;
    if (!orders.isPolledByList || orders.isCancellingAll) continue;
    const listed = yield* readOpenOrders();
    // Where there is no list, each order looks after itself again.
    orders.isPolledByList = !('unreadable' in listed);
    if (!('unreadable' in listed)) applyOpenOrders(orders, listed);
  }
}
