/**
 * The same order is not placed twice by mistake. Limits the number of identical live orders that
 * were placed within a short span and since the strategy's last fill on the pair. Requoting passes,
 * since orders that are being cancelled do not count. That a key is never used twice is the store's
 * rule.
 */
import { type Check, textOf } from '../check.ts';
import { countIdentical } from '../open-orders.ts';

export const checkDuplicate: Check = ({ proposal, facts, limits, context, passed }, refuse) => {
  const { identical } = limits.each;
  const observed =
    1 + countIdentical(context.ourOrders, proposal, facts.nowMs, identical?.withinMs ?? Infinity);
  const tell = identical !== undefined && observed <= identical.max ? passed : refuse;
  tell?.('DUPLICATE', String(observed), textOf(identical?.max), 'orders alike');
};
