/** The egress caps that a bot's file names, as far as the bot could trade by them. */
import type { BotSettings, EgressCaps } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { loadEgressCaps } from '../../settings/load-egress.ts';

/**
 * Returns the caps, or undefined where none are named. Throws ConfigError if a pair that is traded
 * has none: its first order would be blocked, and everything with it.
 */
export function egressCapsOf(
  { egress, strategies }: Pick<BotSettings, 'egress' | 'strategies'>,
  file: string,
): EgressCaps | undefined {
  if (egress === undefined) return undefined;
  const caps = loadEgressCaps(egress);
  const pairs = new Set(strategies.flatMap((strategy) => strategy.pairs));
  const lacking = [...pairs].filter((pair) => !Object.hasOwn(caps.pairs, pair));
  if (lacking.length === 0) return caps;
  throw new ConfigError(
    `${egress}: pairs lacks ${lacking.join(', ')}, which ${file} trades; none of its orders would leave`,
  );
}
