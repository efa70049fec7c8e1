/**
 * While anything is REDUCING, an order may only bring the strategy's position nearer to zero,
 * even if every other open order on its side fills first. Nothing passes when the position is flat,
 * and no order can turn it over.
 */
import { formatAmount } from '../../domain/amount.ts';
import { amountsOf, type Check } from '../check.ts';

export const checkReduceOnly: Check = (question, refuse) => {
  const { proposal, facts, pair } = question;
  const { global, strategies, pairs } = facts.tradingState;
  const reducing =
    global === 'REDUCING' ||
    strategies.get(proposal.strategyId) === 'REDUCING' ||
    pairs.get(proposal.pair) === 'REDUCING';
  if (!reducing) return;
  const { highest, lowest } = facts.exposure.position(proposal.strategyId, proposal.pair);
  const unit = pair?.market.base ?? 'base';
  const amounts = amountsOf(question);
  if (amounts === undefined) {
    refuse('REDUCE_ONLY', 'missing', '0', unit);
  } else if (proposal.side === 'BID') {
    const after = highest + amounts.volume;
    if (after > 0n) refuse('REDUCE_ONLY', formatAmount(after), '0', unit);
  } else {
    const after = lowest - amounts.volume;
    if (after < 0n) refuse('REDUCE_ONLY', formatAmount(after), '0', unit);
  }
};
