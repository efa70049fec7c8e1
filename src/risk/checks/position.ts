/**
 * The position stays within its limit even if every open and unknown order on the order's side
 * fills: of all strategies on the pair, and of the strategy within its budget.
 *
 * A strategy's budget is the stock it begins with. It may spend no more of a currency than its
 * budget and what it earned since, and may hold no more of a base currency, bought, than its
 * budget of it.
 */
import { type Check, refuseAbove } from '../check.ts';

export const checkPosition: Check = (question, refuse) => {
  const { proposal, facts, pair, pairLimits, strategy, amounts } = question;
  const { exposure } = facts;
  const base = pair?.market.base ?? 'base';
  const counter = pair?.market.counter ?? 'counter';
  const all = exposure.pairPosition(proposal.pair);
  const own = exposure.strategyFlow(proposal.strategyId, base);
  const baseBudget = strategy?.budget.get(base);
  const isBid = proposal.side === 'BID';

  // A distance from zero on the order's own side: the other side cannot be made worse by it.
  const after = (worst: { readonly highest: bigint; readonly lowest: bigint }) =>
    amounts === undefined
      ? undefined
      : isBid
        ? worst.highest + amounts.volume
        : amounts.volume - worst.lowest;

  refuseAbove(refuse, 'POSITION', base, {
    observed: after(all),
    limit: pairLimits?.positionBaseMax,
  });
  refuseAbove(refuse, 'BUDGET', base, { observed: after(own), limit: baseBudget });
  if (!isBid) return;
  refuseAbove(refuse, 'BUDGET', counter, {
    observed:
      amounts === undefined
        ? undefined
        : amounts.value - exposure.strategyFlow(proposal.strategyId, counter).lowest,
    limit: strategy?.budget.get(counter),
  });
};
