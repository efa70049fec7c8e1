/** What Luno can and cannot do. */
import type { VenueProperties } from '../../../venue/venue-properties.ts';
import { limits } from '../api/limits.ts';

export const lunoProperties: VenueProperties = {
  protocol: 'luno',
  lists: { pageMax: limits.listLimitMax },
  placing: { idsLast: true, refusesExpired: true },
  reports: { mayBeLost: true },
  reads: { lagMs: { min: 5_000, max: 30_000 } },
  movements: { isGapless: true },
  fees: { takenIn: 'received' },
  calls: { perMinute: limits.requestsPerMinuteMax },
};
