/** The intent is recent: an old one may no longer be what the strategy wants. */
import { type Check, textOf } from '../check.ts';

export const checkAge: Check = ({ proposal, facts, limits }, refuse) => {
  const ageMs = facts.nowMs - proposal.createdMs;
  const limit = limits.intentAgeMsMax;
  if (limit !== undefined && ageMs >= 0 && ageMs <= limit) return;
  refuse('AGE', Number.isFinite(ageMs) ? String(ageMs) : 'missing', textOf(limit), 'ms');
};
