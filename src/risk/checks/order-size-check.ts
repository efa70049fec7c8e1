/** A single order is within the pair's volume limit and the strategy's budget. */
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkOrderSize: Check = (input, refuse) => {
  const { context, volumeUnits, valueUnits, passed } = input;
  if (!(volumeUnits <= context.orderBaseMax) || passed !== undefined) {
    refuseAbove(refuse, 'ORDER_VOLUME', input.pair?.market.base ?? 'base', {
      passed,
      observed: amountsOf(input)?.volume,
      limit: input.pairLimits?.orderBaseMax,
    });
  }
  if (valueUnits <= context.budgetCounter && passed === undefined) return;
  const counter = input.pair?.market.counter ?? 'counter';
  refuseAbove(refuse, 'ORDER_VALUE', counter, {
    passed,
    observed: amountsOf(input)?.value,
    limit: input.strategy?.budget.get(counter),
  });
};
