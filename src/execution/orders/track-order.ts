/**
 * Follows an open order until the exchange says that it is complete: woken by the streams, else by
 * polling; cancels it when asked to.
 *
 * The answer of a stop is never final. It may say success while a fill races it, or fail because
 * the order is already complete; the order record decides.
 */
import { call, type Procedure, wait } from '../requests/procedure.ts';
import { applyOrderRecord } from './apply-order-record.ts';
import type { OrderStates } from './order-states.ts';
import { isOrderNotFound } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

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
    if (orders.isCancellingAll) {
      yield* wait(pollMs, order.changed);
      continue;
    }
    if (order.cancelRequestedMs !== undefined && !order.completionHinted) {
      yield* stop(order);
      hasStopped = true;
    } else if (!order.completionHinted) {
      const woken = yield* wait(pollMs, order.changed);
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
    if (hasStopped) yield* wait(stopRepeatMs, order.changed);
  }
}

function* stop(order: TrackedOrder): Procedure {
  // An answer names one id alone, and may be that to another request.
  const orderId = order.namedId ?? order.orderId;
  if (orderId === undefined) return;
  yield* call({
    lane: 'cancel',
    operation: 'stoporder',
    parameters: () => (order.state === 'open' ? { order_id: orderId } : undefined),
  });
}
