/** Stops a strategy whose orders are rejected by the exchange or refused by the gate too often. */
import type { Check } from '../check.ts';
import { refuseTripped } from '../tripped.ts';

export const checkRejects: Check = ({ facts, limits, context, passed }, refuse) => {
  const { nowMs } = facts;
  const { rejections, refusals } = context.activity;
  refuseTripped(refuse, 'REJECTIONS', 'rejected orders', {
    passed,
    window: rejections,
    breaker: limits.each.rejections,
    nowMs,
  });
  refuseTripped(refuse, 'REFUSALS', 'refused orders', {
    passed,
    window: refusals,
    breaker: limits.each.refusals,
    nowMs,
  });
};
