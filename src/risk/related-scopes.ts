/** The scopes whose trading state an order depends on together with its own. */
import type { StrategySettings } from '../domain/bot-settings.ts';

/**
 * Returns the other scopes that orders in `scope` belong to: for a strategy its pairs, for a pair
 * the strategies on it, and for both the bot.
 */
export function relatedScopes(
  scope: string,
  strategies: readonly Pick<StrategySettings, 'id' | 'pairs'>[],
): readonly string[] {
  if (scope === 'bot') return [];
  const related = strategies.flatMap(({ id, pairs }) => {
    if (scope === `strategy:${id}`) return pairs.map((pair) => `pair:${pair}`);
    return pairs.some((pair) => scope === `pair:${pair}`) ? [`strategy:${id}`] : [];
  });
  return ['bot', ...new Set(related)];
}
