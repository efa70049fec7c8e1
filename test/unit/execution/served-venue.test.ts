/** A venue that the executor cannot serve is refused at the start, with a sentence. */
import { expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import { assertServed } from '../../../src/execution/orders/served-venue.ts';
import { replayProperties } from '../../../src/replay-exchange/replay-properties.ts';
import type { VenueProperties } from '../../../src/venue/venue-properties.ts';
import { lunoProperties } from '../../../src/venues/luno/adapter/properties.ts';

test('Luno and the replay exchange are served', () => {
  for (const venue of [lunoProperties, replayProperties])
    expect(() => assertServed(venue)).not.toThrow();
});

test('either rule that prevents a second order suffices', () => {
  for (const placing of [
    { idsLast: true, refusesExpired: false },
    { idsLast: false, refusesExpired: true },
  ])
    expect(() => assertServed({ ...lunoProperties, placing })).not.toThrow();
});

test.each<[string, Partial<VenueProperties>, RegExp]>([
  [
    'no rule against a second order',
    { placing: { idsLast: false, refusesExpired: false } },
    /could not be sent again/u,
  ],
  [
    'ledgers with gaps',
    { movements: { isGapless: false } },
    /a missing fill would not be noticed/u,
  ],
  ['fees in another currency', { fees: { takenIn: 'counter' } }, /it takes fees in the counter/u],
])('%s is refused', (_, change, why) => {
  const start = () => assertServed({ ...lunoProperties, ...change });
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(why);
});
