/**
 * Limits what is open at once: the number of the account's orders, and the value of the strategy's
 * orders. Orders with an unknown outcome count.
 */
import { type Check, plus, refuseAbove, textOf } from '../check.ts';

export const checkUnexecuted: Check = (input, refuse) => {
  const { facts, limits, context, value, passed } = input;
  const { counter, totals, max } = context;
  const orders = facts.exposure.ordersOpen() + 1;
  const isFew = limits.ordersOpenMax !== undefined && orders <= limits.ordersOpenMax;
  const tell = isFew ? passed : refuse;
  tell?.('ORDERS_OPEN', String(orders), textOf(limits.ordersOpenMax), 'orders');
  const open = plus(counter, totals.open.highest, value);
  const limit = max.openNotionalOfStrategy;
  refuseAbove(refuse, 'UNEXECUTED', counter, { passed, observed: open, limit });
};
