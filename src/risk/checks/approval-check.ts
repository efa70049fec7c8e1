/**
 * An order above the soft limit needs a person's approval of exactly this order. The refusal
 * contains the token to approve it by.
 */
import { approvalTokenOf } from '../approvals.ts';
import { amountText, type Check, refuseAbove } from '../check.ts';

export const checkApproval: Check = (input, refuse) => {
  const { proposal, facts, context, pair, value, passed } = input;
  const { counter, max } = context;
  const limit = max.approveAbove;
  const isKnown = pair !== undefined && value !== undefined && limit !== undefined;
  if (!isKnown || counter.isAtMost(value, limit)) {
    refuseAbove(refuse, 'APPROVAL', counter, { passed, observed: value, limit });
    return;
  }
  const token = approvalTokenOf(proposal, pair.market);
  const isApproved = facts.approvals.isValid(token, facts.nowMs);
  const tell = isApproved ? passed : refuse;
  const unit = `${counter.currency} ${isApproved ? 'with' : 'without'} approval ${token}`;
  tell?.('APPROVAL', amountText(counter, value), amountText(counter, limit), unit);
};
