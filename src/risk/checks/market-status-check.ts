/** The market accepts this order: any order when ACTIVE, only post-only orders when POST_ONLY. */
import type { Check } from '../check.ts';

export const checkMarketStatus: Check = ({ proposal, pair }, refuse) => {
  const status = pair?.status;
  if (status === 'ACTIVE' || (status === 'POST_ONLY' && proposal.postOnly)) return;
  const allowed = proposal.postOnly ? 'ACTIVE or POST_ONLY' : 'ACTIVE';
  refuse('MARKET_STATUS', status ?? 'missing', allowed, 'status');
};
