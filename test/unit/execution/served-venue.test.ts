/** A venue that the executor cannot serve is refused at the start, with a sentence. */
import { expect, test } from 'vitest';
import type { StrategyPermissions } from '../../../src/domain/bot-settings.ts';
import { ConfigError } from '../../../src/domain/errors.ts';
import { assertServed } from '../../../src/execution/orders/served-venue.ts';
import { replayPropertiesOf } from '../../../src/replay-exchange/replay-properties.ts';
import type { VenueProperties } from '../../../src/venue/venue-properties.ts';
import { lunoProperties } from '../../../src/venues/luno/adapter/properties.ts';
import { shippedProfiles } from '../../../src/venues/profiles.ts';

const makes: StrategyPermissions = {
  ...{ sides: ['BID', 'ASK'], types: ['limit'], timeInForce: ['GTC'], postOnly: 'required' },
};
const takes: StrategyPermissions = { ...makes, timeInForce: ['GTC', 'IOC'], postOnly: 'never' };
const strategies = [
  { id: 'maker', allow: makes },
  { id: 'taker', allow: takes },
];
const { placing, orders } = lunoProperties;

test('Luno and the replay exchange are served', () => {
  for (const venue of [lunoProperties, ...shippedProfiles.map(replayPropertiesOf)])
    expect(() => assertServed(venue, strategies)).not.toThrow();
});

test.each<[string, Partial<VenueProperties>]>([
  ['only the id prevents a second order', { placing: { ...placing, ttlMs: 'none' } }],
  ['only the time prevents a second order', { placing: { ...placing, idsLast: false } }],
  [
    'the time to live is shorter than usual',
    { placing: { ...placing, ttlMs: { min: 1, max: 1 } } },
  ],
  ['calls are not limited', { calls: 'unlimited' }],
  [
    'an order type is missing that no strategy uses',
    { orders: { ...orders, timesInForce: ['GTC', 'IOC'] } },
  ],
])('a venue is served although %s', (_, change) => {
  expect(() => assertServed({ ...lunoProperties, ...change }, strategies)).not.toThrow();
});

test.each<[string, Partial<VenueProperties>, RegExp]>([
  [
    'no rule against a second order',
    { placing: { ...placing, idsLast: false, ttlMs: 'none' } },
    /could not be sent again/u,
  ],
  ['short ids', { placing: { ...placing, idLengthMax: 36 } }, /at most 36 characters/u],
  [
    'a very long time to live',
    { placing: { ...placing, ttlMs: { min: 40_000, max: 60_000 } } },
    /orders live at least 40000 ms on their way, but the bot's live at most 30000 ms/u,
  ],
  ['few calls', { calls: { perMinute: 59 } }, /it allows 59 calls a minute/u],
  [
    'a missing time in force',
    { orders: { ...orders, timesInForce: ['GTC'] } },
    /it takes no IOC orders; set strategies\.taker\.allow\.timeInForce to some of: GTC/u,
  ],
  [
    'no post-only orders',
    { orders: { ...orders, postOnly: false } },
    /set strategies\.maker\.allow\.postOnly to never/u,
  ],
  [
    'ledgers with gaps',
    { movements: { isGapless: false } },
    /a missing fill would not be noticed/u,
  ],
  ['fees in another currency', { fees: { takenIn: 'counter' } }, /it takes fees in the counter/u],
])('%s is refused', (_, change, why) => {
  const start = () => assertServed({ ...lunoProperties, ...change }, strategies);
  expect(start).toThrow(ConfigError);
  expect(start).toThrow(why);
});
