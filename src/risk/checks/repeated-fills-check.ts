/** A strategy that is filled again and again is looked at by a person before it goes on. */
import type { Check } from '../check.ts';
import { refuseTripped } from '../tripped.ts';

export const checkRepeatedFills: Check = ({ facts, limits, route }, refuse) => {
  refuseTripped(refuse, 'REPEATED_FILLS', 'fills', {
    window: route.conduct.fills,
    breaker: limits.each.fills,
    nowMs: facts.nowMs,
  });
};
