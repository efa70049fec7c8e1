/** Which venues the executor can trade at. */
import { ConfigError } from '../../domain/errors.ts';
import type { VenueProperties } from '../../venue/venue-properties.ts';

/** Throws ConfigError if the executor lacks what trading at the venue would need. */
export function assertServed(venue: VenueProperties): void {
  const problem = problemWith(venue);
  if (problem !== undefined)
    throw new ConfigError(
      `a bot cannot trade at the venue of protocol "${venue.protocol}": ${problem}`,
    );
}

function problemWith({ placing, movements, fees }: VenueProperties): string | undefined {
  if (!placing.idsLast && !placing.refusesExpired)
    return 'it refuses neither an id that was used nor an order that comes too late, so one whose answer is lost could not be sent again';
  if (!movements.isGapless)
    return 'the rows of its ledgers have gaps, so a missing fill would not be noticed';
  if (fees.takenIn !== 'received')
    return `it takes fees in the ${fees.takenIn} currency, but only fees in the received one can be compared with its ledgers`;
  return undefined;
}
