/** What people read of orders, quotes and refusals. */
import { formatLots, formatTicks, type Market } from '../domain/market.ts';
import type { OrderState } from '../domain/order.ts';
import type { TrackedOrder } from '../execution/tracked-order.ts';
import type { Refusal } from '../risk/check.ts';
import type { QuoteIntent } from './wish.ts';

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

/** Returns what a strategy quotes, in words. */
export function describeQuote({ orders }: QuoteIntent, market: Market | undefined): string {
  if (market === undefined || orders.length === 0) return 'nothing';
  return orders
    .map(
      ({ side, price, volume }) =>
        `${side} ${formatLots(volume, market)} at ${formatTicks(price, market)}`,
    )
    .join(', ');
}

/** Returns why the gate refused, in words. */
export function describeRefusal({ code, observed, limit, unit }: Refusal): string {
  return `${code} (${observed}, allowed ${limit} ${unit})`;
}
