/**
 * Not too much may wait to be executed at once: orders of the account, and value of the strategy's
 * orders. Unknown ones are among them.
 */
import { amountsOf, type Check, refuseAbove, textOf } from '../check.ts';

export const checkUnexecuted: Check = (question, refuse) => {
  const { proposal, facts, limits, route, pair, valueUnits } = question;
  const { exposure } = facts;
  const orders = exposure.ordersOpen() + 1;
  if (limits.ordersOpenMax === undefined || !(orders <= limits.ordersOpenMax)) {
    refuse('ORDERS_OPEN', String(orders), textOf(limits.ordersOpenMax), 'orders');
  }
  const { line } = route;
  const open = line === undefined ? Number.NaN : line.open.highestUnits + valueUnits;
  if (open <= route.openNotionalMaxOfStrategy) return;
  const counter = pair?.market.counter ?? 'counter';
  const value = amountsOf(question)?.value;
  refuseAbove(refuse, 'UNEXECUTED', counter, {
    observed:
      value === undefined
        ? undefined
        : exposure.openNotionalOf(proposal.strategyId, counter) + value,
    limit: limits.each.openNotionalMax.get(counter),
  });
};
