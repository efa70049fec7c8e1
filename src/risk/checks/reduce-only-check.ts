/**
 * While the bot, the strategy or the pair is REDUCING, and always for an order with `reduceOnly`,
 * an order may only bring the strategy's position nearer to zero, even if every other open order on
 * its side fills first. So no order passes with a flat position, and none can reverse a position.
 */
import { formatAmount } from '../../domain/amount.ts';
import type { Check } from '../check.ts';
import { isWithinZero, positionAfter } from '../only-reduces.ts';

export const checkReduceOnly: Check = (input, refuse) => {
  const { proposal, facts, pair, passed } = input;
  const { global, strategies, pairs } = facts.tradingState;
  const mustReduce =
    proposal.reduceOnly ||
    global === 'REDUCING' ||
    strategies.get(proposal.strategyId) === 'REDUCING' ||
    pairs.get(proposal.pair) === 'REDUCING';
  if (!mustReduce) return;
  const after = positionAfter(input);
  const tell = after !== undefined && isWithinZero(proposal.side, after) ? passed : refuse;
  tell?.(
    'REDUCE_ONLY',
    after === undefined ? 'missing' : formatAmount(after),
    '0',
    pair?.market.base ?? 'base',
  );
};
