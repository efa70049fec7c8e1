/** Stops a strategy with too many fills in a short time until a person has looked at it. */
import type { Check } from '../check.ts';
import { refuseTripped } from '../tripped.ts';

export const checkRepeatedFills: Check = ({ facts, limits, context, passed }, refuse) => {
  refuseTripped(refuse, 'REPEATED_FILLS', 'fills', {
    passed,
    window: context.activity.fills,
    breaker: limits.each.fills,
    nowMs: facts.nowMs,
  });
};
