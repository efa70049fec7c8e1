/**
 * While anything is REDUCING, and always for an order that was asked for with `reduceOnly`, an
 * order may only bring the strategy's position nearer to zero, even if every other open order on
 * its side fills first. Nothing passes when the position is flat, and no order can turn it over.
 */
import { amountText, type Check } from '../check.ts';
import { isWithinZero, positionAfter } from '../only-reduces.ts';

export const checkReduceOnly: Check = (question, refuse) => {
  const { proposal, facts, pair } = question;
  const { global, strategies, pairs } = facts.tradingState;
  const mustReduce =
    proposal.reduceOnly ||
    global === 'REDUCING' ||
    strategies.get(proposal.strategyId) === 'REDUCING' ||
    pairs.get(proposal.pair) === 'REDUCING';
  if (!mustReduce) return;
  const after = positionAfter(question);
  if (after !== undefined && isWithinZero(proposal.side, after)) return;
  refuse('REDUCE_ONLY', amountText(after), '0', pair?.market.base ?? 'base');
};
