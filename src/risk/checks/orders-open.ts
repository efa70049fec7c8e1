/** Not too many orders may exist at once, unknown ones included. */
import type { Check } from '../check.ts';

export const checkOrdersOpen: Check = ({ facts, limits }, refuse) => {
  const observed = facts.exposure.ordersOpen() + 1;
  const limit = limits.ordersOpenMax;
  if (limit !== undefined && observed <= limit) return;
  refuse('ORDERS_OPEN', String(observed), String(limit ?? 'missing'), 'orders');
};
