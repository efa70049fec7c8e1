/** What Luno can and cannot do. */
import type { VenueProperties } from '../../../venue/venue-properties.ts';
import { lunoProfile } from '../../profiles.ts';
import { limits } from '../api/limits.ts';

export const lunoProperties: VenueProperties = {
  ...lunoProfile,
  protocol: 'luno',
  lists: { pageMax: limits.listLimitMax },
  // Not documented: chosen far above the longest delays that were seen.
  absence: { misses: 3, afterMs: 120_000, afterExistsMs: 600_000 },
  reports: { mayBeLost: true },
  reads: { lagMs: { min: 5_000, max: 30_000 }, endLagMs: 60_000 },
  movements: { isGapless: true },
};
