/**
 * Follows an open order until the exchange reports it as complete, and cancels it on request.
 * Stream messages wake it, and it also polls, because messages may be lost. In a replay none is
 * lost, so it does not poll, but the polls that a live bot would make count in the call budget.
 *
 * A cancel does not wait for a read: the read in progress is abandoned, and another follows the
 * stop. The read comes first only if the user stream reports that nothing is left to cancel.
 *
 * The answer to a stop is never final by itself: it may report success although the order fills
 * first, or an error because the order is already complete. The user stream confirms it, or else
 * the order record decides.
 */
import type { OrderRecord } from '../../exchange-api/operations/order-operations.ts';
import type { Reply } from '../../exchange-api/reply.ts';
import { call, type Procedure, Signal, wait } from '../requests/procedure.ts';
import { applyOrderRecord } from './apply-order-record.ts';
import { endByStream } from './end-by-stream.ts';
import type { OrderStates } from './order-states.ts';
import { isOrderNotFound } from './place-outcome.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** The call budget counts the calls of this period. */
const countedMs = 60_000;
const pollMs = 15_000;
const stopRepeatMs = 2_000;
/** Pauses before repeating a failed read after a stream's hint; after them, only polls follow. */
const rereadsMs = [2_000, 4_000, 8_000];
const missingIncidentMs = 60_000;

/** Follows `order` while its state is `open`. */
export function* trackOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  const { context } = orders;
  let missingSinceMs: number | undefined;
  let missingReported = false;
  /** Whether to read by our own id, because the exchange's id led to no order or another one. */
  let isIdDoubted = false;
  let rereads = 0;
  while (order.state === 'open') {
    let hasStopped = false;
    let isStopTaken = false;
    if (orders.isCancellingAll) {
      yield* wait(pollMs, order.changed);
      continue;
    }
    const isReadFirst = order.completionHinted && order.hasNothingToCancel;
    if (order.cancelRequestedMs !== undefined && !isReadFirst) {
      isStopTaken = yield* stop(order);
      hasStopped = true;
      if (isStopTaken && (yield* endByStream(orders, order))) return;
    } else if (!order.completionHinted) {
      const sinceMs = context.nowMs;
      const woken = yield* wait(orders.isReplay ? Number.POSITIVE_INFINITY : pollMs, order.changed);
      if (orders.isReplay) countSkippedPolls(orders, sinceMs);
      // Its cancel was requested meanwhile: stop it before reading it.
      if (order.cancelRequestedMs !== undefined) continue;
      if (woken === 'time' && orders.isPolledByList) continue;
    }
    if (order.state !== 'open') return;
    const wasHinted = order.completionHinted;
    order.completionHinted = false;
    const reply: Reply<'getOrderV3'> = yield* read(order, isIdDoubted || order.isIdContradicted);
    if (order.state !== 'open') return;
    if (reply.kind === 'ok') {
      const record: OrderRecord = reply.body;
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
    // A cancel that was requested during the read is sent without a wait. A replay reports the end
    // of a stopped order by itself, perhaps only at the end of the bar.
    const isEndCertain = isStopTaken && orders.isReplay;
    const repeatMs = isEndCertain ? Number.POSITIVE_INFINITY : stopRepeatMs;
    if (hasStopped) yield* wait(repeatMs, order.changed);
  }
}

/** Reads the order; a cancel that is requested meanwhile does not wait for the answer. */
function* read(order: TrackedOrder, byOwnId: boolean): Procedure<Reply<'getOrderV3'>> {
  const withdrawal = new Signal();
  order.readInProgress = withdrawal;
  const reply = yield* call({
    priority: 'resolve',
    operation: 'getOrderV3',
    parameters: () => (byOwnId ? { client_order_id: order.clientOrderId } : { id: order.orderId }),
    withdrawal,
    isAbandonable: true,
  });
  order.readInProgress = undefined;
  return reply;
}

/** Counts the polls of the last minute that a live bot would have made since `sinceMs`. */
function countSkippedPolls({ context }: OrderStates, sinceMs: number): void {
  const { nowMs } = context;
  const timesMs: number[] = [];
  let atMs = sinceMs + pollMs;
  atMs += Math.max(0, Math.ceil((nowMs - countedMs - atMs) / pollMs)) * pollMs;
  for (; atMs < nowMs; atMs += pollMs) timesMs.push(atMs);
  if (timesMs.length > 0) context.countSkipped(timesMs);
}

/** Requests the stop of the order; returns whether the exchange confirmed it. */
function* stop(order: TrackedOrder): Procedure<boolean> {
  // The answer to a request may have a wrong id; an id reported with our own id is right.
  const orderId = order.namedId ?? order.orderId;
  if (orderId === undefined) return false;
  const reply = yield* call({
    priority: 'cancel',
    operation: 'stoporder',
    parameters: () => (order.state === 'open' ? { order_id: orderId } : undefined),
  });
  return reply.kind === 'ok' && reply.body.success;
}
