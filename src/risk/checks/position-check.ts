/**
 * The position stays within its limits even if every open and unknown order on the order's side
 * fills: the position of all strategies on the pair, and the strategy's own within its budget.
 *
 * A budget is what a strategy starts with. It may spend at most the budget and what it earned
 * since, and its bought position in a base currency may be at most the budget in that currency.
 */
import { type Check, refuseAbove } from '../check.ts';
import type { Exact } from '../currency-unit.ts';
import type { ExposureBounds } from '../exposure-bounds.ts';

export const checkPosition: Check = ({ proposal, context, volume, value, passed }, refuse) => {
  const { base, counter, totals, max } = context;
  const isBid = proposal.side === 'BID';
  // Distances from zero in the order's direction; the order cannot worsen the other direction.
  const after = (held: ExposureBounds): Exact | undefined => {
    if (volume === undefined) return undefined;
    return isBid ? base.plus(held.highest, volume) : base.minus(volume, held.lowest);
  };
  const ofPair = { passed, observed: after(totals.pair), limit: max.positionBase };
  refuseAbove(refuse, 'POSITION', base, ofPair);
  const ofStrategy = { passed, observed: after(totals.base), limit: max.budgetBase };
  refuseAbove(refuse, 'BUDGET', base, ofStrategy);
  if (!isBid) return;
  const spent = value === undefined ? undefined : counter.minus(value, totals.counter.lowest);
  refuseAbove(refuse, 'BUDGET', counter, { passed, observed: spent, limit: max.budgetCounter });
};
