/** What the replay exchange can and cannot do: as the exchange that it models, in this process. */
import type { VenueProperties } from '../venue/venue-properties.ts';

const types = ['limit', 'stop-limit'] as const;

export const replayProperties: VenueProperties = {
  protocol: 'luno',
  lists: { pageMax: 1_000 },
  orders: { types, timesInForce: ['GTC', 'IOC', 'FOK'], postOnly: true },
  placing: {
    idsLast: true,
    idLengthMax: 100,
    refusesExpired: true,
    ttlMs: { min: 1, max: 10_000 },
  },
  absence: { misses: 3, afterMs: 120_000, afterExistsMs: 600_000 },
  reports: { mayBeLost: false },
  reads: { lagMs: { min: 5_000, max: 5_000 }, endLagMs: 60_000 },
  movements: { isGapless: true },
  fees: { takenIn: 'received' },
  calls: { perMinute: 300 },
};
