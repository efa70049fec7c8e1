/** What else must be open for a strategy or a pair to trade. */
import type { StrategySettings } from '../domain/bot-settings.ts';

/**
 * Returns the other scopes that an order of `scope` is in, or may be: of a strategy its pairs, of a
 * pair the strategies on it, of both the bot.
 */
export function scopesBeside(
  scope: string,
  strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[],
): readonly string[] {
  if (scope === 'bot') return [];
  const beside = strategies.flatMap(({ id, pairs }) => {
    if (scope === `strategy:${id}`) return pairs.map((pair) => `pair:${pair}`);
    return pairs.some((pair) => scope === `pair:${pair}`) ? [`strategy:${id}`] : [];
  });
  return ['bot', ...new Set(beside)];
}
