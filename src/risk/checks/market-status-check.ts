/** The market's status allows the order; see {@link acceptsMakers} and {@link acceptsTakers}. */
import { acceptsMakers, acceptsTakers } from '../../domain/market.ts';
import type { Check } from '../check.ts';

export const checkMarketStatus: Check = ({ proposal, pair }, refuse) => {
  const status = pair?.status;
  if (proposal.postOnly ? acceptsMakers(status) : acceptsTakers(status)) return;
  const allowed = proposal.postOnly ? 'ACTIVE, POST_ONLY or SUSPENDED' : 'ACTIVE';
  refuse('MARKET_STATUS', status ?? 'missing', allowed, 'status');
};
