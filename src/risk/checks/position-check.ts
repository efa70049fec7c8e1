/**
 * The position stays within its limit even if every open and unknown order on the order's side
 * fills: of all strategies on the pair, and of the strategy within its budget.
 *
 * A strategy's budget is the stock it begins with. It may spend no more of a currency than its
 * budget and what it earned since, and may hold no more of a base currency, bought, than its
 * budget of it.
 */
import { amountsOf, type Check, type Question, type Refuse, refuseAbove } from '../check.ts';

export const checkPosition: Check = (question, refuse) => {
  const { proposal, route, volumeUnits, valueUnits } = question;
  const { line } = route;
  if (line !== undefined) {
    // A distance from zero on the order's own side: the other side cannot be made worse by it.
    const isBid = proposal.side === 'BID';
    const ofPair = isBid ? line.pair.highestUnits : -line.pair.lowestUnits;
    const ofStrategy = isBid ? line.base.highestUnits : -line.base.lowestUnits;
    const isWithin =
      ofPair + volumeUnits <= route.positionBaseMax &&
      ofStrategy + volumeUnits <= route.budgetBase &&
      (!isBid || valueUnits - line.counter.lowestUnits <= route.budgetCounter);
    if (isWithin) return;
  }
  checkExactly(question, refuse);
};

function checkExactly(question: Question, refuse: Refuse): void {
  const { proposal, facts, pair, pairLimits, strategy } = question;
  const { exposure } = facts;
  const amounts = amountsOf(question);
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
    observed: after(exposure.pairPosition(proposal.pair)),
    limit: pairLimits?.positionBaseMax,
  });
  refuseAbove(refuse, 'BUDGET', base, {
    observed: after(exposure.strategyFlow(proposal.strategyId, base)),
    limit: strategy?.budget.get(base),
  });
  if (!isBid) return;
  refuseAbove(refuse, 'BUDGET', counter, {
    observed:
      amounts === undefined
        ? undefined
        : amounts.value - exposure.strategyFlow(proposal.strategyId, counter).lowest,
    limit: strategy?.budget.get(counter),
  });
}
