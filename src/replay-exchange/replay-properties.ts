/** What the replay exchange can and cannot do: it keeps the rules of a profile, in this process. */
import type { ExchangeProfile } from '../domain/exchange-profile.ts';
import type { VenueProperties } from '../venue/venue-properties.ts';

/** Rows of a page of its lists. */
export const pageMax = 1_000;

export function replayPropertiesOf(profile: ExchangeProfile): VenueProperties {
  return {
    ...profile,
    protocol: 'replay',
    lists: { pageMax },
    absence: { misses: 3, afterMs: 120_000, afterExistsMs: 600_000 },
    reports: { mayBeLost: false },
    reads: { lagMs: { min: 5_000, max: 5_000 }, endLagMs: 60_000 },
    movements: { isGapless: true },
  };
}
