/** A single order is within the pair's volume limit and the strategy's budget. */
import { type Check, refuseAbove } from '../check.ts';

export const checkOrderSize: Check = ({ context, volume, value, passed }, refuse) => {
  const { base, counter, max } = context;
  const ofVolume = { passed, observed: volume, limit: max.orderBase };
  refuseAbove(refuse, 'ORDER_VOLUME', base, ofVolume);
  refuseAbove(refuse, 'ORDER_VALUE', counter, {
    passed,
    observed: value,
    limit: max.budgetCounter,
  });
};
