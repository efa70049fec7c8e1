/**
 * Limits what is open at once: the number of the account's orders, and the value of the strategy's
 * orders. Orders with an unknown outcome count.
 */
import { amountsOf, type Check, refuseAbove, textOf } from '../check.ts';

export const checkUnexecuted: Check = (input, refuse) => {
  const { proposal, facts, limits, context, pair, valueUnits } = input;
  const { exposure } = facts;
  const orders = exposure.ordersOpen() + 1;
  if (limits.ordersOpenMax === undefined || !(orders <= limits.ordersOpenMax)) {
    refuse('ORDERS_OPEN', String(orders), textOf(limits.ordersOpenMax), 'orders');
  }
  const { strategyExposure } = context;
  const open =
    strategyExposure === undefined ? Number.NaN : strategyExposure.open.highestUnits + valueUnits;
  if (open <= context.openNotionalMaxOfStrategy) return;
  const counter = pair?.market.counter ?? 'counter';
  const value = amountsOf(input)?.value;
  refuseAbove(refuse, 'UNEXECUTED', counter, {
    observed:
      value === undefined
        ? undefined
        : exposure.openNotionalOf(proposal.strategyId, counter) + value,
    limit: limits.each.openNotionalMax.get(counter),
  });
};
