/**
 * The expiry of an order: at its time the bot cancels what is left of it. The exchange knows of no
 * expiry of an order in the book, and its `ttl` is that of a request.
 */
import { type Procedure, wait } from '../requests/procedure.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Waits for the end of the order, or cancels it at `expiresMs` by our clock. */
export function* expire(orders: OrderStates, order: TrackedOrder, expiresMs: number): Procedure {
  while (!order.isFinal && order.cancelRequestedMs === undefined) {
    const leftMs = expiresMs - orders.context.nowMs;
    if (leftMs <= 0) orders.cancel(order, `it expires at ${new Date(expiresMs).toISOString()}`);
    else yield* wait(leftMs, order.changed);
  }
}
