/** Loads the egress caps of a bot and checks that they cover its pairs. */
import type { BotSettings, EgressCaps, StrategySettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { loadEgressCaps } from '../../settings/load-egress.ts';

type Strategies = { readonly strategies: readonly Pick<StrategySettings, 'pairs'>[] };

/**
 * Returns the caps, or undefined if the settings have none. Throws ConfigError if a traded pair has
 * no caps: its first order would be blocked, and the bot halted.
 */
export function egressCapsOf(
  { egress, strategies }: Pick<BotSettings, 'egress'> & Strategies,
  file: string,
): EgressCaps | undefined {
  if (egress === undefined) return undefined;
  const caps = loadEgressCaps(egress);
  const pairs = new Set(strategies.flatMap((strategy) => strategy.pairs));
  const lacking = [...pairs].filter((pair) => !Object.hasOwn(caps.pairs, pair));
  if (lacking.length === 0) return caps;
  throw new ConfigError(
    `${egress}: pairs lacks ${lacking.join(', ')}, which ${file} trades; its orders would all be blocked`,
  );
}
