/** What the replay exchange refuses by the profile of the exchange. */
import { expect, test } from 'vitest';
import type { ExchangeProfile } from '../../../src/domain/exchange-profile.ts';
import { lunoProfile, unlimitedProfile } from '../../../src/venues/profiles.ts';
import { Bench, bid, maker, startMs, us } from '../../support/replay-bench.ts';
import type { PlacePart } from '../../support/replay-market.ts';

const { placing: placingRules } = lunoProfile;
const latencies = { feed: us(0), request: us(0), answer: us(0) };
const benchOf = (changes: Partial<ExchangeProfile>): Bench =>
  new Bench(latencies, { ...lunoProfile, ...changes });
const balances = { kind: 'balances' } as const;

test('more calls than a minute allows are refused until the first is a minute old', () => {
  const bench = benchOf({ calls: { perMinute: 60 } });
  for (let call = 0; call < 60; call++) expect(bench.ask(balances).kind).toBe('ok');
  const refused = bench.ask(bid);
  expect(refused).toMatchObject({ kind: 'refused', reason: 'throttled', retryAfterMs: 59_400 });
  bench.runTo(60_000_000);
  expect(bench.ask(balances).kind).toBe('ok');
  expect(bench.port.refusals.place.get('throttled')).toBe(1);
});

test('calls are not counted where they are not limited', () => {
  const bench = new Bench(latencies, unlimitedProfile);
  for (let call = 0; call < 400; call++) expect(bench.ask(balances).kind).toBe('ok');
});

test.each<[string, Partial<ExchangeProfile>, PlacePart, string]>([
  ['type', { orders: { ...lunoProfile.orders, types: ['stop-limit'] } }, {}, 'kind-not-taken'],
  [
    'time in force',
    { orders: { ...lunoProfile.orders, timesInForce: ['IOC'] } },
    {},
    'kind-not-taken',
  ],
  ['post-only', { orders: { ...lunoProfile.orders, postOnly: false } }, {}, 'kind-not-taken'],
  [
    'id',
    { placing: { ...placingRules, idLengthMax: 3 } },
    { clientOrderId: 'four' },
    'id-too-long',
  ],
  ['time to live', { placing: { ...placingRules, ttlMs: { min: 1, max: 9 } } }, {}, 'ttl-outside'],
])('an order of a %s that it does not take is refused', (_, changes, part, code) => {
  expect(benchOf({}).ask(maker(part)).kind).toBe('ok');
  expect(benchOf(changes).ask(maker(part))).toMatchObject({ kind: 'refused', code });
});

test('an order that comes late is taken where there is no time to live', () => {
  const late = maker({ timestampMs: startMs - 3_000, ttlMs: 2_000 });
  expect(benchOf({}).ask(late)).toMatchObject({ kind: 'refused', code: 'expired' });
  expect(new Bench(latencies, unlimitedProfile).ask(late).kind).toBe('ok');
});

test('an id may be used again where only those of open orders are refused', () => {
  const bench = benchOf({ placing: { ...placingRules, idsLast: false } });
  const orderId = bench.place({ clientOrderId: 'again' });
  expect(bench.ask(maker({ clientOrderId: 'again' }))).toMatchObject({ code: 'id-used' });
  bench.value({ kind: 'cancel', orderId });
  const second = bench.place({ clientOrderId: 'again' });
  expect(bench.value({ kind: 'order', clientOrderId: 'again' }).orderId).toBe(second);
});
