/** Which venues the executor can trade at. */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { callsPerMinuteMin } from '../../domain/exchange-profile.ts';
import type { VenueProperties } from '../../venue/venue-properties.ts';
import { clientOrderIdLengthMax } from './client-order-id.ts';
import { ttlMsLongest } from './time-to-live.ts';

/**
 * Throws ConfigError if the executor lacks what trading at the venue would need, or if the venue
 * lacks orders that a strategy may place.
 */
export function assertServed(
  venue: VenueProperties,
  strategies: readonly Pick<StrategySettings, 'id' | 'allow'>[],
): void {
  const problem = problemWith(venue) ?? missingOrders(venue, strategies);
  if (problem !== undefined)
    throw new ConfigError(
      `a bot cannot trade at the venue of protocol "${venue.protocol}": ${problem}`,
    );
}

function problemWith({ placing, movements, fees, calls }: VenueProperties): string | undefined {
  const { ttlMs } = placing;
  if (!placing.idsLast && ttlMs === 'none')
    return 'it refuses neither an id that was used nor an order that comes too late, so one whose answer is lost could not be sent again';
  if (placing.idLengthMax < clientOrderIdLengthMax)
    return `its ids of orders have at most ${placing.idLengthMax} characters, but the bot's have up to ${clientOrderIdLengthMax}`;
  if (ttlMs !== 'none' && ttlMs.min > ttlMsLongest)
    return `its orders live at least ${ttlMs.min} ms on their way, but the bot's live at most ${ttlMsLongest} ms`;
  if (calls !== 'unlimited' && calls.perMinute < callsPerMinuteMin)
    return `it allows ${calls.perMinute} calls a minute, but a bot needs at least ${callsPerMinuteMin}`;
  if (!movements.isGapless)
    return 'the rows of its ledgers have gaps, so a missing fill would not be noticed';
  if (fees.takenIn !== 'received')
    return `it takes fees in the ${fees.takenIn} currency, but only fees in the received one can be compared with its ledgers`;
  return undefined;
}

function missingOrders(
  { orders }: VenueProperties,
  strategies: readonly Pick<StrategySettings, 'id' | 'allow'>[],
): string | undefined {
  for (const { id, allow } of strategies) {
    const type = allow.types.find((one) => !orders.types.includes(one));
    if (type !== undefined)
      return `it takes no ${type} orders; set strategies.${id}.allow.types to some of: ${orders.types.join(', ')}`;
    const missing = allow.timeInForce.find((one) => !orders.timesInForce.includes(one));
    if (missing !== undefined)
      return `it takes no ${missing} orders; set strategies.${id}.allow.timeInForce to some of: ${orders.timesInForce.join(', ')}`;
    if (!orders.postOnly && allow.postOnly !== 'never')
      return `it takes no post-only orders; set strategies.${id}.allow.postOnly to never`;
  }
  return undefined;
}
