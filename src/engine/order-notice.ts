/** What people read of an order when its state changes. */
import { formatLots, formatTicks } from '../domain/market.ts';
import type { OrderState } from '../domain/order.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';

/** The states that a person wants to read of; the others pass in a moment. */
const announcedStates: ReadonlySet<OrderState> = new Set([
  'open',
  'unknown',
  'filled',
  'cancelled',
  'rejected',
  'absent',
]);

/** Returns whether the order's state is worth a line. */
export function isAnnounced(order: TrackedOrder): boolean {
  return announcedStates.has(order.state);
}

/** Returns the order and its state in one line. */
export function describeOrder(order: TrackedOrder): string {
  const { terms, market } = order;
  const volume = formatLots(terms.volume, market);
  const price = formatTicks(terms.price, market);
  return `${order.strategyId} ${terms.side} ${volume} at ${price} is ${order.state} (${order.orderId ?? order.clientOrderId})`;
}
