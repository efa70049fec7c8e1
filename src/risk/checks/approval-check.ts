/**
 * An order above the soft limit needs a person's approval of exactly this order. The refusal
 * contains the token to approve it by.
 */
import { approvalTokenOf } from '../approvals.ts';
import { amountsOf, amountText, type Check } from '../check.ts';

export const checkApproval: Check = (input, refuse) => {
  const { proposal, facts, limits, context, pair } = input;
  if (input.valueUnits <= context.approveAbove) return;
  const counter = pair?.market.counter ?? 'counter';
  const limit = limits.approveAbove.get(counter);
  const value = amountsOf(input)?.value;
  if (value === undefined || limit === undefined || pair === undefined) {
    refuse('APPROVAL', amountText(value), amountText(limit), counter);
    return;
  }
  if (value <= limit) return;
  const token = approvalTokenOf(proposal, pair.market);
  if (facts.approvals.isValid(token, facts.nowMs)) return;
  refuse('APPROVAL', amountText(value), amountText(limit), `${counter} without approval ${token}`);
};
