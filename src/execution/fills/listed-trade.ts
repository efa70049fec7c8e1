/** What a row of the list of trades says about its order, and whether it can be true. */
import type { Sums } from '../../domain/amount.ts';
import type { Side } from '../../domain/market.ts';
import type { UserTrade } from '../../venues/luno/api/operations/order-operations.ts';
import type { TrackedOrder } from '../orders/tracked-order.ts';

/** Returns why a trade of `order` is impossible, as text; such a trade is not booked. */
export function problemWith(order: TrackedOrder, trade: UserTrade, sums: Sums): string | undefined {
  const { side } = order.terms;
  const types = side === 'BID' ? ['BID', 'BUY'] : ['ASK', 'SELL'];
  if (!types.includes(trade.type)) return `is ${trade.type}, the order is ${side}`;
  if (trade.pair !== order.pair) return `is of ${trade.pair}, the order is of ${order.pair}`;
  if (sums.base === 0n || !order.canBeFilled(sums.base)) return `has a base of ${trade.base}`;
  return sums.counter < 0n ? `has a counter of ${trade.counter}` : undefined;
}

/** Returns the side of our order in a trade. */
export function sideOf(type: string): Side {
  // Trades of market orders may have the types BUY and SELL.
  return type === 'BID' || type === 'BUY' ? 'BID' : 'ASK';
}
