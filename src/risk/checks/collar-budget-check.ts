/**
 * All orders of five minutes together do not stray: the sum of each one's distance from the mid
 * times its volume stays within a budget, over all strategies. Many small steps are a large one.
 */
import { powerOfTen } from '../../domain/amount.ts';
import { amountsOf, amountText, type Check } from '../check.ts';
import { distance2Of, halfUnitsOf } from '../collar-budget.ts';

export const checkCollarBudget: Check = (question, refuse) => {
  const { proposal, facts, route, pair, limits } = question;
  const { collars } = facts.exposure;
  const market = pair?.market;
  const counter = market?.counter ?? 'counter';
  const mid2 = pair?.mid2;
  if (mid2 !== undefined) {
    const own = distance2Of(proposal.price, mid2) * proposal.volume * route.unitsPerValue;
    const sum = halfUnitsOf(route.strayed, facts.nowMs) + own;
    if (sum <= 2 * route.collarBudgetMax && sum <= Number.MAX_SAFE_INTEGER) return;
  }
  const limit = limits.collarBudgetMax.get(counter);
  const isKnown = market !== undefined && mid2 !== undefined && Number.isSafeInteger(mid2);
  if (!isKnown || amountsOf(question) === undefined) {
    refuse('COLLAR_BUDGET', 'missing', amountText(limit), counter);
    return;
  }
  const away = 2n * BigInt(proposal.price) - BigInt(mid2);
  const own =
    (away < 0n ? -away : away) *
    BigInt(proposal.volume) *
    powerOfTen(18 - market.priceScale - market.volumeScale);
  const half = collars.halfAmount(counter, facts.nowMs) + own;
  if (limit !== undefined && half <= 2n * limit) return;
  // Rounded up, so that the number shown is above the limit whenever the exact one is.
  refuse('COLLAR_BUDGET', amountText((half + 1n) / 2n), amountText(limit), counter);
};
