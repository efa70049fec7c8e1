/** Trading is enabled for the bot, for the strategy and for the pair. */
import type { Check } from '../check.ts';

export const checkTradingState: Check = ({ proposal, facts }, refuse) => {
  const { global, strategies, pairs } = facts.tradingState;
  const ofStrategy = strategies.get(proposal.strategyId);
  const ofPair = pairs.get(proposal.pair);
  if (global === 'ACTIVE' && ofStrategy === 'ACTIVE' && ofPair === 'ACTIVE') return;
  const states = [
    ['global', global],
    ['strategy', ofStrategy],
    ['pair', ofPair],
  ] as const;
  for (const [scope, state] of states) {
    if (state === 'ACTIVE' || state === 'REDUCING') continue;
    refuse('TRADING_STATE', state ?? 'missing', 'ACTIVE or REDUCING', `${scope} state`);
  }
};
