/** A strategy whose orders are rejected or refused all the time does not go on trying. */
import type { Check } from '../check.ts';
import { refuseTripped } from '../tripped.ts';

export const checkRejects: Check = ({ facts, limits, route }, refuse) => {
  const { nowMs } = facts;
  const { rejections, refusals } = route.conduct;
  refuseTripped(refuse, 'REJECTIONS', 'rejected orders', {
    window: rejections,
    breaker: limits.each.rejections,
    nowMs,
  });
  refuseTripped(refuse, 'REFUSALS', 'refused orders', {
    window: refusals,
    breaker: limits.each.refusals,
    nowMs,
  });
};
