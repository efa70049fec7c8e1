/** One order is not too large: for the pair, and for what the strategy was given. */
import { amountsOf, type Check, refuseAbove } from '../check.ts';

export const checkOrderSize: Check = (question, refuse) => {
  const { route, volumeUnits, valueUnits } = question;
  if (!(volumeUnits <= route.orderBaseMax)) {
    refuseAbove(refuse, 'ORDER_VOLUME', question.pair?.market.base ?? 'base', {
      observed: amountsOf(question)?.volume,
      limit: question.pairLimits?.orderBaseMax,
    });
  }
  if (valueUnits <= route.budgetCounter) return;
  const counter = question.pair?.market.counter ?? 'counter';
  refuseAbove(refuse, 'ORDER_VALUE', counter, {
    observed: amountsOf(question)?.value,
    limit: question.strategy?.budget.get(counter),
  });
};
