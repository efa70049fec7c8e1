/** The notice about an order whose state has changed. */
import { formatLots, formatTicks } from '../domain/market.ts';
import type { OrderState } from '../domain/order.ts';
import type { TrackedOrder } from '../execution/orders/tracked-order.ts';

/** The states worth a notice; an order passes through the others in a moment. */
const announcedStates: ReadonlyMap<OrderState, string> = new Map([
  ['open', 'is open'],
  ['unknown', 'has an unknown outcome and is looked up'],
  ['filled', 'is filled'],
  ['cancelled', 'is cancelled'],
  ['rejected', 'was rejected by the exchange'],
  ['absent', 'never reached the exchange'],
]);

/** Whether the order's state is worth a notice. */
export function isAnnounced(order: TrackedOrder): boolean {
  return announcedStates.has(order.state);
}

/** Returns a sentence about the order and its state. */
export function describeOrder(order: TrackedOrder): string {
  const { terms, market, state } = order;
  const volume = formatLots(terms.volume, market);
  const price = formatTicks(terms.price, market);
  const description = `${terms.side} ${volume} ${market.base} at ${price} ${market.counter}`;
  const what = announcedStates.get(state) ?? `is ${state}`;
  return `${order.strategyId} ${description} ${what} (${order.orderId ?? order.clientOrderId})`;
}
