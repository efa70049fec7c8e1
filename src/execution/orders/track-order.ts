/**
 * Follows an open order until the exchange reports it as complete, and cancels it on request. The
 * streams wake it, and it polls in case they miss something. In a replay they miss nothing, so it
 * does not poll; the polls that a live bot would make still count in the call budget.
 *
 * The answer to a stop is never final: it may report success while a fill races it, or an error
 * because the order is already complete. The order record decides.
 */
import { call, type Procedure, wait } from '../requests/procedure.ts';
import { applyOrderRecord } from './apply-order-record.ts';
import type { OrderStates } from './order-states.ts';
import { isOrderNotFound } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** The period over which the call budget counts. */
const countedMs = 60_000;
const pollMs = 15_000;
const stopRepeatMs = 2_000;
/** Pauses before repeating a failed read that a stream's hint caused; afterwards it is polled. */
const rereadsMs = [2_000, 4_000, 8_000];
const missingIncidentMs = 60_000;

/** Follows `order` while its state is `open`. */
export function* trackOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  const { context } = orders;
  let missingSinceMs: number | undefined;
  let missingReported = false;
  /** Whether to read by our own id, because the exchange's id led nowhere or to another order. */
  let isIdDoubted = false;
  let rereads = 0;
  while (order.state === 'open') {
    let hasStopped = false;
    let isStopTaken = false;
    if (orders.isCancellingAll) {
      yield* wait(pollMs, order.changed);
      continue;
    }
    if (order.cancelRequestedMs !== undefined && !order.completionHinted) {
      isStopTaken = yield* stop(order);
      hasStopped = true;
    } else if (!order.completionHinted) {
      const sinceMs = context.nowMs;
      const woken = yield* wait(orders.isReplay ? Number.POSITIVE_INFINITY : pollMs, order.changed);
      if (orders.isReplay) noteUnmadePolls(orders, sinceMs);
      // Its cancel was requested meanwhile: stop it before reading it.
      if (order.cancelRequestedMs !== undefined) continue;
      if (woken === 'time' && orders.isPolledByList) continue;
    }
    if (order.state !== 'open') return;
    const wasHinted = order.completionHinted;
    order.completionHinted = false;
    const reply = yield* call({
      priority: 'resolve',
      operation: 'getOrderV3',
      parameters: () =>
        isIdDoubted || order.isIdContradicted
          ? { client_order_id: order.clientOrderId }
          : { id: order.orderId },
    });
    if (order.state !== 'open') return;
    if (reply.kind === 'ok') {
      const record = reply.body;
      missingSinceMs = undefined;
      isIdDoubted = record.client_order_id !== order.clientOrderId;
      applyOrderRecord(orders, order, record, 'get order v3');
      if (order.state !== 'open') return;
    } else if (isOrderNotFound(reply)) {
      isIdDoubted = !isIdDoubted;
      missingSinceMs ??= context.nowMs;
      if (!missingReported && context.nowMs - missingSinceMs > missingIncidentMs) {
        missingReported = true;
        context.incident(
          'ORDER_MISSING',
          `open order ${order.clientOrderId} (${order.orderId}) has not been found for a minute; it is still tracked`,
        );
      }
    }
    const isReadFailed = wasHinted && reply.kind !== 'ok';
    const isCancelling = order.cancelRequestedMs !== undefined;
    const rereadMs = isReadFailed && !isCancelling ? rereadsMs[rereads++] : undefined;
    if (rereadMs !== undefined) {
      yield* wait(rereadMs, order.changed);
      // A cancel that was requested meanwhile goes first; a read follows it.
      order.completionHinted = order.cancelRequestedMs === undefined;
      continue;
    }
    rereads = 0;
    // A cancel that was requested during the read has not been sent yet, and does not wait.
    // A replay reports the end of a stopped order, perhaps only at the end of its bar.
    const isEndReported = isStopTaken && orders.isReplay;
    const repeatMs = isEndReported ? Number.POSITIVE_INFINITY : stopRepeatMs;
    if (hasStopped) yield* wait(repeatMs, order.changed);
  }
}

/** Counts the polls that a live bot would have made since `sinceMs` and that still count. */
function noteUnmadePolls({ context }: OrderStates, sinceMs: number): void {
  const { nowMs } = context;
  const timesMs: number[] = [];
  let atMs = sinceMs + pollMs;
  atMs += Math.max(0, Math.ceil((nowMs - countedMs - atMs) / pollMs)) * pollMs;
  for (; atMs < nowMs; atMs += pollMs) timesMs.push(atMs);
  if (timesMs.length > 0) context.countSkipped(timesMs);
}

/** Requests the stop of the order; returns whether the exchange confirmed it. */
function* stop(order: TrackedOrder): Procedure<boolean> {
  // The answer to a request may carry a wrong id; one reported with our own id is right.
  const orderId = order.namedId ?? order.orderId;
  if (orderId === undefined) return false;
  const reply = yield* call({
    priority: 'cancel',
    operation: 'stoporder',
    parameters: () => (order.state === 'open' ? { order_id: orderId } : undefined),
  });
  return reply.kind === 'ok';
}
