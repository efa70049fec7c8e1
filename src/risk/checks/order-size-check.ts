/** A single order is within the pair's volume limit and the strategy's budget. */
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkOrderSize: Check = (input, refuse) => {
  const { context, volumeUnits, valueUnits } = input;
  if (!(volumeUnits <= context.orderBaseMax)) {
    refuseAbove(refuse, 'ORDER_VOLUME', input.pair?.market.base ?? 'base', {
      observed: amountsOf(input)?.volume,
      limit: input.pairLimits?.orderBaseMax,
    });
  }
  if (valueUnits <= context.budgetCounter) return;
  const counter = input.pair?.market.counter ?? 'counter';
  refuseAbove(refuse, 'ORDER_VALUE', counter, {
    observed: amountsOf(input)?.value,
    limit: input.strategy?.budget.get(counter),
  });
};
