/**
 * An order above the soft limit needs a person's approval of exactly this order. The refusal
 * contains the token to approve it by.
 */
import { approvalTokenOf } from '../approvals.ts';
import { amountsOf, amountText, type Check } from '../check.ts';

export const checkApproval: Check = (input, refuse) => {
  const { proposal, facts, limits, context, pair, passed } = input;
  if (input.valueUnits <= context.approveAbove && passed === undefined) return;
  const counter = pair?.market.counter ?? 'counter';
  const limit = limits.approveAbove.get(counter);
  const value = amountsOf(input)?.value;
  if (value === undefined || limit === undefined || pair === undefined) {
    refuse('APPROVAL', amountText(value), amountText(limit), counter);
    return;
  }
  if (value <= limit) {
    passed?.('APPROVAL', amountText(value), amountText(limit), counter);
    return;
  }
  const token = approvalTokenOf(proposal, pair.market);
  const isApproved = facts.approvals.isValid(token, facts.nowMs);
  const tell = isApproved ? passed : refuse;
  const unit = `${counter} ${isApproved ? 'with' : 'without'} approval ${token}`;
  tell?.('APPROVAL', amountText(value), amountText(limit), unit);
};
