/**
 * Not too many orders a minute, over all strategies. Approved orders count, whether or not they
 * arrived.
 */
import type { Check } from '../check.ts';

export const checkOrdersPerMinute: Check = ({ facts, limits }, refuse) => {
  const observed = facts.exposure.ordersInLastMinute(facts.nowMs) + 1;
  const limit = limits.ordersPerMinuteMax;
  if (limit !== undefined && Number.isFinite(facts.nowMs) && observed <= limit) return;
  refuse('ORDERS_PER_MINUTE', String(observed), String(limit ?? 'missing'), 'orders');
};
