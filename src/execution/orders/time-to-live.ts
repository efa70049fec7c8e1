/** The time to live that the bot asks for its orders. */
import type { ExchangeProfile } from '../../domain/exchange-profile.ts';

/** Long enough for a slow line, and short enough to wait for its end. */
const usualMs = 2_000;
/** With a longer one, an order whose outcome is unknown would stay so for too long. */
export const ttlMsLongest = 30_000;

/** Returns how long after its timestamp an exchange may accept an attempt. */
export function timeToLiveMs({ ttlMs }: ExchangeProfile['placing']): number {
  return ttlMs === 'none' ? usualMs : Math.min(Math.max(usualMs, ttlMs.min), ttlMs.max);
}
