/** One order is not too large: for the pair, and for what the strategy was given. */
import { type Check, refuseAbove } from '../check.ts';

export const checkOrderSize: Check = ({ pair, pairLimits, strategy, amounts }, refuse) => {
  const base = pair?.market.base ?? 'base';
  const counter = pair?.market.counter ?? 'counter';
  refuseAbove(refuse, 'ORDER_VOLUME', base, {
    observed: amounts?.volume,
    limit: pairLimits?.orderBaseMax,
  });
  refuseAbove(refuse, 'ORDER_VALUE', counter, {
    observed: amounts?.value,
    limit: strategy?.budget.get(counter),
  });
};
