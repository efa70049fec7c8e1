/**
 * The orders of five minutes together stay near the mid: over all strategies, the sum of each
 * order's distance from the mid times its volume stays within a budget. Many small deviations add
 * up to a large one.
 */
import { powerOfTen } from '../../domain/amount.ts';
import { amountsOf, amountText, type Check } from '../check.ts';
import { distance2Of, halfUnitsOf } from '../collar-budget.ts';

export const checkCollarBudget: Check = (input, refuse) => {
  const { proposal, facts, context, pair, limits, passed } = input;
  const { collars } = facts.exposure;
  const market = pair?.market;
  const counter = market?.counter ?? 'counter';
  const mid2 = pair?.mid2;
  if (mid2 !== undefined && passed === undefined) {
    const own = distance2Of(proposal.price, mid2) * proposal.volume * context.unitsPerValue;
    const sum = halfUnitsOf(context.deviation, facts.nowMs) + own;
    if (sum <= 2 * context.collarBudgetMax && sum <= Number.MAX_SAFE_INTEGER) return;
  }
  const limit = limits.collarBudgetMax.get(counter);
  const isKnown = market !== undefined && mid2 !== undefined && Number.isSafeInteger(mid2);
  if (!isKnown || amountsOf(input) === undefined) {
    refuse('COLLAR_BUDGET', 'missing', amountText(limit), counter);
    return;
  }
  const deviation = 2n * BigInt(proposal.price) - BigInt(mid2);
  const own =
    (deviation < 0n ? -deviation : deviation) *
    BigInt(proposal.volume) *
    powerOfTen(18 - market.priceScale - market.volumeScale);
  const half = collars.halfAmount(counter, facts.nowMs) + own;
  const tell = limit !== undefined && half <= 2n * limit ? passed : refuse;
  // Rounded up, so that the number shown exceeds the limit whenever the exact one does.
  tell?.('COLLAR_BUDGET', amountText((half + 1n) / 2n), amountText(limit), counter);
};
