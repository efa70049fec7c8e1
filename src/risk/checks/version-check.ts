/** The limits and the strategy's code are approved versions. Live mode needs `approved` set. */
import type { Check } from '../check.ts';

export const checkVersion: Check = ({ proposal, facts, limits }, refuse) => {
  const { approved } = limits;
  if (approved === undefined) {
    if (facts.environment.mode === 'live') refuse('VERSION', limits.hash, 'missing', 'settings');
    return;
  }
  if (!approved.settings.includes(limits.hash)) {
    refuse('VERSION', limits.hash, approved.settings.join(', '), 'settings');
  }
  const code = facts.strategyHashes.get(proposal.strategyId);
  if (code !== undefined && approved.strategies.includes(code)) return;
  refuse('VERSION', code ?? 'missing', approved.strategies.join(', '), 'strategy code');
};
