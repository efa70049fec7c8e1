/** The market's status allows the order; see {@link acceptsMakers} and {@link acceptsTakers}. */
import { acceptsMakers, acceptsTakers } from '../../domain/market.ts';
import type { Check } from '../check.ts';

export const checkMarketStatus: Check = ({ proposal, pair, passed }, refuse) => {
  const status = pair?.status;
  const accepts = proposal.postOnly ? acceptsMakers(status) : acceptsTakers(status);
  const tell = accepts ? passed : refuse;
  const allowed = proposal.postOnly ? 'ACTIVE, POST_ONLY or SUSPENDED' : 'ACTIVE';
  tell?.('MARKET_STATUS', status ?? 'missing', allowed, 'status');
};
