/** The limits and the strategy's code are approved versions. Live mode needs `approved` set. */
import type { Check } from '../check.ts';

export const checkVersion: Check = ({ proposal, facts, limits, passed }, refuse) => {
  const { approved } = limits;
  if (approved === undefined) {
    if (facts.environment.mode === 'live') refuse('VERSION', limits.hash, 'missing', 'settings');
    return;
  }
  const tellSettings = approved.settings.includes(limits.hash) ? passed : refuse;
  tellSettings?.('VERSION', limits.hash, approved.settings.join(', '), 'settings');
  const code = facts.strategyHashes.get(proposal.strategyId);
  const isApproved = code !== undefined && approved.strategies.includes(code);
  const tell = isApproved ? passed : refuse;
  tell?.('VERSION', code ?? 'missing', approved.strategies.join(', '), 'strategy code');
};
