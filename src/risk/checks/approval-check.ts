/**
 * An order above the soft limit has a person's approval of exactly this order. What the approval is
 * asked for by stands in the refusal.
 */
import { approvalTokenOf } from '../approvals.ts';
import { amountsOf, amountText, type Check } from '../check.ts';

export const checkApproval: Check = (question, refuse) => {
  const { proposal, facts, limits, route, pair } = question;
  if (question.valueUnits <= route.approveAbove) return;
  const counter = pair?.market.counter ?? 'counter';
  const limit = limits.approveAbove.get(counter);
  const value = amountsOf(question)?.value;
  if (value === undefined || limit === undefined || pair === undefined) {
    refuse('APPROVAL', amountText(value), amountText(limit), counter);
    return;
  }
  if (value <= limit) return;
  const token = approvalTokenOf(proposal, pair.market);
  if (facts.approvals.isValid(token, facts.nowMs)) return;
  refuse('APPROVAL', amountText(value), amountText(limit), `${counter} without approval ${token}`);
};
