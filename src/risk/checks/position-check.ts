/**
 * The position stays within its limits even if every open and unknown order on the order's side
 * fills: the position of all strategies on the pair, and the strategy's own within its budget.
 *
 * A budget is what a strategy starts with. It may spend at most the budget and what it earned
 * since, and its bought position in a base currency may be at most the budget in that currency.
 */
import { amountsOf, type Check, type CheckInput, type Refuse, refuseAbove } from '../check.ts';

export const checkPosition: Check = (input, refuse) => {
  const { proposal, context, volumeUnits, valueUnits, passed } = input;
  const { strategyExposure } = context;
  if (strategyExposure !== undefined && passed === undefined) {
    // Distances from zero in the order's direction; the order cannot worsen the other direction.
    const isBid = proposal.side === 'BID';
    const ofPair = isBid ? strategyExposure.pair.highestUnits : -strategyExposure.pair.lowestUnits;
    const ofStrategy = isBid
      ? strategyExposure.base.highestUnits
      : -strategyExposure.base.lowestUnits;
    const isWithin =
      ofPair + volumeUnits <= context.positionBaseMax &&
      ofStrategy + volumeUnits <= context.budgetBase &&
      (!isBid || valueUnits - strategyExposure.counter.lowestUnits <= context.budgetCounter);
    if (isWithin) return;
  }
  checkExactly(input, refuse);
};

function checkExactly(input: CheckInput, refuse: Refuse): void {
  const { proposal, facts, pair, pairLimits, strategy, passed } = input;
  const { exposure } = facts;
  const amounts = amountsOf(input);
  const base = pair?.market.base ?? 'base';
  const counter = pair?.market.counter ?? 'counter';
  const isBid = proposal.side === 'BID';
  const after = (worst: { readonly highest: bigint; readonly lowest: bigint }) =>
    amounts === undefined
      ? undefined
      : isBid
        ? worst.highest + amounts.volume
        : amounts.volume - worst.lowest;
  refuseAbove(refuse, 'POSITION', base, {
    passed,
    observed: after(exposure.pairPosition(proposal.pair)),
    limit: pairLimits?.positionBaseMax,
  });
  refuseAbove(refuse, 'BUDGET', base, {
    passed,
    observed: after(exposure.strategyFlow(proposal.strategyId, base)),
    limit: strategy?.budget.get(base),
  });
  if (!isBid) return;
  refuseAbove(refuse, 'BUDGET', counter, {
    passed,
    observed:
      amounts === undefined
        ? undefined
        : amounts.value - exposure.strategyFlow(proposal.strategyId, counter).lowest,
    limit: strategy?.budget.get(counter),
  });
}
