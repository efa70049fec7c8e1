/** Trading is enabled for the bot, for the strategy and for the pair. */
import type { Check } from '../check.ts';

export const checkTradingState: Check = ({ proposal, facts, passed }, refuse) => {
  const { global, strategies, pairs } = facts.tradingState;
  const ofStrategy = strategies.get(proposal.strategyId);
  const ofPair = pairs.get(proposal.pair);
  const isActive = global === 'ACTIVE' && ofStrategy === 'ACTIVE' && ofPair === 'ACTIVE';
  if (isActive && passed === undefined) return;
  const states = [
    ['global', global],
    ['strategy', ofStrategy],
    ['pair', ofPair],
  ] as const;
  for (const [scope, state] of states) {
    const tell = state === 'ACTIVE' || state === 'REDUCING' ? passed : refuse;
    tell?.('TRADING_STATE', state ?? 'missing', 'ACTIVE or REDUCING', `${scope} state`);
  }
};
