/**
 * Limits what is open at once: the number of the account's orders, and the value of the strategy's
 * orders. Orders with an unknown outcome count.
 */
import { amountsOf, type Check, refuseAbove, textOf } from '../check.ts';

export const checkUnexecuted: Check = (input, refuse) => {
  const { proposal, facts, limits, context, pair, valueUnits, passed } = input;
  const { exposure } = facts;
  const orders = exposure.ordersOpen() + 1;
  const isFew = limits.ordersOpenMax !== undefined && orders <= limits.ordersOpenMax;
  const tell = isFew ? passed : refuse;
  tell?.('ORDERS_OPEN', String(orders), textOf(limits.ordersOpenMax), 'orders');
  const { strategyExposure } = context;
  const open =
    strategyExposure === undefined ? Number.NaN : strategyExposure.open.highestUnits + valueUnits;
  if (open <= context.openNotionalMaxOfStrategy && passed === undefined) return;
  const counter = pair?.market.counter ?? 'counter';
  const value = amountsOf(input)?.value;
  refuseAbove(refuse, 'UNEXECUTED', counter, {
    passed,
    observed:
      value === undefined
        ? undefined
        : exposure.openNotionalOf(proposal.strategyId, counter) + value,
    limit: limits.each.openNotionalMax.get(counter),
  });
};
