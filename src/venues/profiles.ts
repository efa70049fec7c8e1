/**
 * The exchange profiles that Millrace ships. They are the only place that holds the numbers of a
 * venue for backtests; a venue's adapter takes its own from here, too.
 */
import type { ExchangeProfile } from '../domain/exchange-profile.ts';

/** Luno, as its documents say. */
export const lunoProfile = {
  name: 'luno',
  calls: { perMinute: 300 },
  fees: { takenIn: 'received' },
  orders: {
    types: ['limit', 'stop-limit', 'market'],
    timesInForce: ['GTC', 'IOC', 'FOK'],
    postOnly: true,
  },
  placing: { idsLast: true, idLengthMax: 100, ttlMs: { min: 1, max: 10_000 } },
  checks: { tradeAgeMsMax: 60_000 },
} as const satisfies ExchangeProfile;

/** An exchange without any rule of its own: for data of markets whose rules are not known. */
export const unlimitedProfile = {
  name: 'unlimited',
  calls: 'unlimited',
  fees: { takenIn: 'received' },
  orders: {
    types: ['limit', 'stop-limit', 'market'],
    timesInForce: ['GTC', 'IOC', 'FOK'],
    postOnly: true,
  },
  placing: { idsLast: true, idLengthMax: 255, ttlMs: 'none' },
  checks: { tradeAgeMsMax: 'never' },
} as const satisfies ExchangeProfile;

/** Those that a scenario can name, or derive its own from. */
export const shippedProfiles = [lunoProfile, unlimitedProfile] as const;
