/**
 * The same order is not placed twice by mistake: no more than so many alike may be live that were
 * placed a moment ago, without a fill since. Requoting does not meet this, since the order that is
 * replaced is being cancelled. That a key is used once for ever is the store's rule.
 */
import { type Check, textOf } from '../check.ts';

export const checkDuplicate: Check = ({ proposal, facts, limits }, refuse) => {
  const { identical } = limits.each;
  const observed =
    1 + facts.exposure.orders.alike(proposal, facts.nowMs, identical?.withinMs ?? Infinity);
  if (identical !== undefined && observed <= identical.max) return;
  refuse('DUPLICATE', String(observed), textOf(identical?.max), 'orders alike');
};
