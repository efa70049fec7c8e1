/** What Luno can and cannot do. */
import type { VenueProperties } from '../../../venue/venue-properties.ts';
import { limits } from '../api/limits.ts';

export const lunoProperties: VenueProperties = {
  protocol: 'luno',
  lists: { pageMax: limits.listLimitMax },
};
