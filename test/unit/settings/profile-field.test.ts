/** Profiles of scenarios: what derives from which, and contradictions with line and rule. */
import { describe, expect, test } from 'vitest';
import { ConfigError } from '../../../src/domain/errors.ts';
import { checkProfile, profileField, profileOf } from '../../../src/settings/profile-field.ts';
import { readChecked } from '../../../src/settings/read-checked.ts';
import { SettingsSource } from '../../../src/settings/settings-source.ts';
import { lunoProfile, shippedProfiles, unlimitedProfile } from '../../../src/venues/profiles.ts';

function read(text: string) {
  const source = new SettingsSource('a.yaml', Buffer.from(`seed: 1\nprofile: ${text}\n`));
  const given = readChecked(source, (reader) => {
    const draft = reader.read(profileField, ['profile']);
    checkProfile(reader, draft);
    return draft;
  });
  return profileOf(given);
}

test('a shipped profile is chosen by its name, and luno is the default', () => {
  for (const profile of shippedProfiles) expect(read(profile.name)).toEqual(profile);
  expect(profileOf(undefined)).toEqual(lunoProfile);
});

describe('a derived profile', () => {
  test('differs in its name and in the rules that it gives', () => {
    expect(read('{ from: unlimited, calls: { perMinute: 600 } }')).toEqual({
      ...unlimitedProfile,
      name: 'derived from unlimited',
      calls: { perMinute: 600 },
    });
    expect(read('{ from: luno, orders: { clientId: { unique: open } } }')).toEqual({
      ...lunoProfile,
      name: 'derived from luno',
      placing: { ...lunoProfile.placing, idsLast: false },
    });
  });

  test('may give every rule', () => {
    const leave = { cancel: 1, lookup: 2, read: 3, order: 4, move: 5 };
    expect(
      read(`
  from: luno
  calls: { perMinute: 90, leave: { cancel: 1, lookup: 2, read: 3, order: 4, move: 5 } }
  orders:
    types: [limit]
    timeInForce: [IOC, FOK]
    postOnly: never
    timeToLive: { min: "1s", max: "5s" }
    clientId: { lengthMax: 64, unique: open }
  latencies: { feed: "1ms", request: "2ms", answer: "3ms" }
  checks: { tradeAge: never }`),
    ).toEqual({
      name: 'derived from luno',
      calls: { perMinute: 90, leave },
      fees: lunoProfile.fees,
      orders: { types: ['limit'], timesInForce: ['IOC', 'FOK'], postOnly: false },
      placing: { idsLast: false, idLengthMax: 64, ttlMs: { min: 1_000, max: 5_000 } },
      checks: { tradeAgeMsMax: 'never' },
      latencies: {
        feed: { kind: 'fixed', us: 1_000 },
        request: { kind: 'fixed', us: 2_000 },
        answer: { kind: 'fixed', us: 3_000 },
      },
    });
  });
});

test.each([
  [
    'lunox',
    /^a\.yaml:2:10: profile: was lunox; allowed: luno, unlimited, or a map .*; try: luno$/u,
  ],
  [
    '{ calls: unlimited }',
    /2:1: profile: lacks from, which is required; allowed: luno, unlimited/u,
  ],
  ['{ from: kraken }', /profile\.from: was kraken; allowed: luno, unlimited/u],
  ['{ from: luno, call: unlimited }', /2:24: profile\.call: is unknown; .*; try: calls/u],
  [
    '{ from: luno, calls: { perMinute: 59 } }',
    /calls\.perMinute: was 59; allowed: .*, 60 to 1000000/u,
  ],
  ['{ from: luno, calls: { perMinute: -1 } }', /calls\.perMinute: was -1; allowed/u],
  [
    '{ from: unlimited, calls: { } }',
    /profile\.calls: lacks perMinute, which unlimited does not have/u,
  ],
  [
    '{ from: luno, checks: { tradeAge: 60 } }',
    /checks\.tradeAge: was 60; allowed: never, or .*; try: "60s"/u,
  ],
  [
    '{ from: luno, checks: { tradeAge: "-1s" } }',
    /checks\.tradeAge: was "-1s"; allowed: never, or/u,
  ],
  [
    '{ from: luno, calls: { leave: { cancel: 10, lookup: 9, read: 20, order: 300, move: 310 } } }',
    /lookup: was 9; allowed: at least the 10 .*\n.*order: was 300; allowed: less than the 3/u,
  ],
  [
    '{ from: luno, orders: { timeToLive: { min: "2s", max: "1s" } } }',
    /orders\.timeToLive\.max: was 1000 ms; allowed: at least min, which is 2000 ms/u,
  ],
  [
    '{ from: unlimited, orders: { clientId: { unique: open } } }',
    /clientId\.unique: was open, without a time to live; allowed: unique: forever, or /u,
  ],
  [
    '{ from: luno, orders: { timeToLive: none, clientId: { unique: open } } }',
    /orders\.clientId\.unique: was open, without a time to live/u,
  ],
  [
    '{ from: luno, orders: { timeInForce: [IOC] } }',
    /orders\.timeInForce: was without GTC, .*; allowed: GTC among others, or postOnly: never/u,
  ],
  [
    '{ from: luno, orders: { types: [limit, market], timeInForce: [GTC, FOK] } }',
    /orders\.types: has market, but timeInForce lacks IOC, .*; allowed: types without market/u,
  ],
  [
    '{ from: luno, calls: { perMinute: 60, leave: { cancel: 0, lookup: 5, read: 9, order: 9, move: 9 } } }',
    /calls\.leave\.cancel: was 0; allowed: a whole number without quotes, 1 to/u,
  ],
  [
    '{ from: luno, orders: { types: [pegged] } }',
    /orders\.types\[0\]: was pegged; allowed: limit, stop-limit, market/u,
  ],
])('%s is refused', (text, message) => {
  expect(() => read(text)).toThrow(ConfigError);
  expect(() => read(text)).toThrow(message);
});
