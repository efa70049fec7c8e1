/**
 * Follows an open order until the exchange says that it is complete: woken by the streams, else by
 * polling; cancels it when asked to. Where a replay answers, whose stream misses nothing, it does
 * not poll, and the polls of a live bot count in the call budget.
 *
 * The answer of a stop is never final. It may say success while a fill races it, or fail because
 * the order is already complete; the order record decides.
 */
import { call, type Procedure, wait } from '../requests/procedure.ts';
import { applyOrderRecord } from './apply-order-record.ts';
import type { OrderStates } from './order-states.ts';
import { isOrderNotFound } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** How far back the call budget counts. */
const countedMs = 60_000;
const pollMs = 15_000;
const stopRepeatMs = 2_000;
/** Pauses before a read is repeated that a hint asked for and that failed; then it is polled. */
const rereadsMs = [2_000, 4_000, 8_000];
const missingIncidentMs = 60_000;

/** Follows `order` while its state is `open`. */
export function* trackOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  const { context } = orders;
  let missingSinceMs: number | undefined;
  let missingReported = false;
  /** The exchange's id leads nowhere, or to another order: our own id is asked for. */
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
      // Asked to cancel meanwhile: stop it before reading it.
      if (order.cancelRequestedMs !== undefined) continue;
      if (woken === 'time' && orders.isPolledByList) continue;
    }
    if (order.state !== 'open') return;
    const wasHinted = order.completionHinted;
    order.completionHinted = false;
    const reply = yield* call({
      lane: 'resolve',
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
          `open order ${order.clientOrderId} (${order.orderId}) is not found for a minute; it stays tracked`,
        );
      }
    }
    const isReadFailed = wasHinted && reply.kind !== 'ok';
    const isCancelling = order.cancelRequestedMs !== undefined;
    const rereadMs = isReadFailed && !isCancelling ? rereadsMs[rereads++] : undefined;
    if (rereadMs !== undefined) {
      yield* wait(rereadMs, order.changed);
      // A cancel that was asked for meanwhile goes first, and is followed by a read.
      order.completionHinted = order.cancelRequestedMs === undefined;
      continue;
    }
    rereads = 0;
    // A cancel that was asked for during the read has not been sent yet, and does not wait.
    // A replay that has taken a stop says when the order ends, which may be as late as its bar.
    const isTold = isStopTaken && orders.isReplay;
    if (hasStopped) yield* wait(isTold ? Number.POSITIVE_INFINITY : stopRepeatMs, order.changed);
  }
}

/** Counts the polls that a live bot would have made since `sinceMs`, as far as they count now. */
function noteUnmadePolls({ context }: OrderStates, sinceMs: number): void {
  const { nowMs } = context;
  const timesMs: number[] = [];
  let atMs = sinceMs + pollMs;
  atMs += Math.max(0, Math.ceil((nowMs - countedMs - atMs) / pollMs)) * pollMs;
  for (; atMs < nowMs; atMs += pollMs) timesMs.push(atMs);
  if (timesMs.length > 0) context.noteUnmade(timesMs);
}

/** Asks the exchange to stop the order; returns whether it said that it would. */
function* stop(order: TrackedOrder): Procedure<boolean> {
  // An answer names one id alone, and may be that to another request.
  const orderId = order.namedId ?? order.orderId;
  if (orderId === undefined) return false;
  const reply = yield* call({
    lane: 'cancel',
    operation: 'stoporder',
    parameters: () => (order.state === 'open' ? { order_id: orderId } : undefined),
  });
  return reply.kind === 'ok';
}
