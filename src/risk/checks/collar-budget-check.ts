/**
 * The orders of five minutes together stay near the mid: over all strategies, the sum of each
 * order's distance from the mid (of a stop-limit order: of its limit price from its stop price)
 * times its volume stays within a budget. Many small deviations add
 * up to a large one.
 */
import { formatAmount } from '../../domain/amount.ts';
import { amountText, type Check } from '../check.ts';
import { distance2Of, referenceOf, twiceDeviationOf } from '../collar-budget.ts';

export const checkCollarBudget: Check = (input, refuse) => {
  const { proposal, facts, context, pair, value, passed } = input;
  const { counter, market, deviation, max } = context;
  const limit = max.collarBudget;
  const mid2 = referenceOf(proposal, pair?.mid2);
  const isKnown = market !== undefined && value !== undefined && Number.isSafeInteger(mid2);
  if (!isKnown || mid2 === undefined) {
    refuse('COLLAR_BUDGET', 'missing', amountText(counter, limit), counter.currency);
    return;
  }
  const { price, volume } = proposal;
  const order = { distance2: distance2Of(price, mid2), volume };
  const own = twiceDeviationOf(order, market, counter);
  const twice = counter.plus(deviation.twiceAt(facts.nowMs), own);
  const isWithin = limit !== undefined && counter.isAtMost(twice, counter.plus(limit, limit));
  const tell = isWithin ? passed : refuse;
  // Rounded up, so that the number shown exceeds the limit whenever the exact one does.
  const text = (): string => formatAmount((counter.amount(twice) + 1n) / 2n);
  tell?.('COLLAR_BUDGET', text(), amountText(counter, limit), counter.currency);
};
