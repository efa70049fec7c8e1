/** What the replay exchange can and cannot do: as the exchange that it models, in this process. */
import type { VenueProperties } from '../venue/venue-properties.ts';

export const replayProperties: VenueProperties = {
  protocol: 'luno',
  lists: { pageMax: 1_000 },
  placing: { idsLast: true, refusesExpired: true },
  reports: { mayBeLost: false },
  reads: { lagMs: { min: 5_000, max: 5_000 } },
  movements: { isGapless: true },
  fees: { takenIn: 'received' },
  calls: { perMinute: 300 },
};
