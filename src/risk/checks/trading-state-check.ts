/** Trading is enabled for the bot, for the strategy and for the pair. */
import type { Check } from '../check.ts';
import type { TradingState } from '../gate-facts.ts';

export const checkTradingState: Check = ({ proposal, facts, passed }, refuse) => {
  const { global, strategies, pairs } = facts.tradingState;
  const tellState = (scope: string, state: TradingState | undefined): void => {
    const tell = state === 'ACTIVE' || state === 'REDUCING' ? passed : refuse;
    tell?.('TRADING_STATE', state ?? 'missing', 'ACTIVE or REDUCING', `${scope} state`);
  };
  tellState('global', global);
  tellState('strategy', strategies.get(proposal.strategyId));
  tellState('pair', pairs.get(proposal.pair));
};
