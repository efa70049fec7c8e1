/** The intent is recent: an old one may no longer be what the strategy wants. */
import { type Check, textOf } from '../check.ts';

export const checkAge: Check = ({ proposal, facts, limits, passed }, refuse) => {
  const ageMs = facts.nowMs - proposal.createdMs;
  const limit = limits.intentAgeMsMax;
  const isRecent = limit !== undefined && ageMs >= 0 && ageMs <= limit;
  const tell = isRecent ? passed : refuse;
  tell?.('AGE', Number.isFinite(ageMs) ? String(ageMs) : 'missing', textOf(limit), 'ms');
};
