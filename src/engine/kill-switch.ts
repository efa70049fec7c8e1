/**
 * Kills a running bot: cancels every order of ours and proves that it is gone, including orders
 * whose outcome is unknown. The bot is halted first, so nothing new is placed meanwhile.
 *
 * The orders' own procedures then neither cancel nor read: one list covers all orders, whereas a
 * read for each order would use up the calls that the cancels need.
 */

import { applyOrderRecord, reportWrongOrders } from '../execution/orders/apply-order-record.ts';
import { clientOrderIdPrefix } from '../execution/orders/client-order-id.ts';
import type { OrderStates } from '../execution/orders/order-states.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';
import {
  CancelAll,
  type CancelAllProgress,
  type CancelAllResult,
} from '../execution/reconcile/cancel-all.ts';
import { call, type Procedure } from '../execution/requests/procedure.ts';
import type { ListedOrders } from '../execution/requests/walk-open-orders.ts';

export type KillOptions = {
  readonly orders: OrderStates;
  readonly namespace: string;
  /** False once a person resumes trading. */
  readonly isHalted: () => boolean;
  readonly onProgress: (progress: CancelAllProgress) => void;
};

/**
 * Cancels every order; returns when two lists in a row show none of ours. The caller has set
 * `orders.isCancellingAll` and requested the cancels; this function clears it at the end.
 */
export function* killOrders(options: KillOptions): Procedure<CancelAllResult> {
  const { orders, namespace, isHalted, onProgress } = options;
  const { context, tracker } = orders;
  const known = [...tracker.live].filter((order) => order.state === 'open').reverse();
  const cancelAll = new CancelAll({
    context,
    prefix: clientOrderIdPrefix(namespace),
    known: known.flatMap((order) => (order.orderId === undefined ? [] : [order.orderId])),
    countPending: () => countPending(orders),
    unlistedMsMax: () => orders.ttlMs + orders.readLag.allowanceMs,
    mayGoOn: isHalted,
    onList: (open) => applyLists(orders, open),
    tell: onProgress,
  });
  const cleared = yield* cancelAll.run();
  orders.isCancellingAll = false;
  for (const order of [...tracker.live]) order.changed.raise();
  return cleared;
}

/** Counts requests that may still be accepted, or whose acceptance lists may not show yet. */
function countPending(orders: OrderStates): number {
  const { context, tracker } = orders;
  const exchangeMs = context.exchangeClock.nowMs(context.nowMs);
  let count = 0;
  for (const { state, lastAttempt, isAttempting } of tracker.live) {
    const isRepeated = state === 'unknown' && isAttempting;
    if (state === 'sending' || isRepeated) count++;
    if (state !== 'unknown' || isRepeated) continue;
    const fenceMs =
      (lastAttempt?.timestampMs ?? 0) + (lastAttempt?.ttlMs ?? 0) + orders.readLag.allowanceMs;
    if (exchangeMs === undefined || exchangeMs <= fenceMs) count++;
  }
  return count;
}

/** Applies the open list to our orders, and the ended ones to those missing from the open one. */
function* applyLists(orders: OrderStates, { views, wrong }: ListedOrders): Procedure {
  const { tracker } = orders;
  const listed = new Set<TrackedOrder>();
  reportWrongOrders(orders, wrong);
  for (const view of views) {
    const order = tracker.find(view);
    if (order === undefined) continue;
    listed.add(order);
    applyOrderRecord(orders, order, view, 'open orders');
  }
  const isGone = [...orders.tracker.live].some(
    (order) => order.state === 'open' && !listed.has(order),
  );
  if (!isGone) return;
  const reply = yield* call({
    priority: 'cancel',
    request: () => ({ kind: 'orders', which: 'ended' }),
  });
  if (reply.kind !== 'ok') return;
  reportWrongOrders(orders, reply.value.wrong);
  for (const view of reply.value.rows) {
    const order = tracker.find(view);
    if (order?.state === 'open') applyOrderRecord(orders, order, view, 'ended orders');
  }
}
