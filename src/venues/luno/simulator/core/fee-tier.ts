/**
 * Fee tiers by trading volume. A user's rates in a market depend on the base volume that the user
 * traded in that market in the 30 days before the last midnight UTC, as fee_info reports it.
 *
 * The tiers are ours: the API documentation shows none.
 */
import { type Market, parseLots } from '../../../../domain/market.ts';
import type { Lots } from '../../../../domain/money.ts';
import { addLots, noLots } from '../../../../domain/ticks-and-lots.ts';
import type { User } from './exchange-state.ts';
import { type FeeRates, parseFeeRate } from './fee-rate.ts';
import type { FeeTier } from './simulator-settings.ts';

const dayMs = 86_400_000;
const windowDays = 30;

/** Throws RangeError if a rate or a `volumeMin` is malformed. */
export function checkFeeTiers(tiers: readonly FeeTier[]): void {
  for (const { volumeMin, maker, taker } of tiers) {
    parseFeeRate(maker);
    parseFeeRate(taker);
    if (!/^(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?$/u.test(volumeMin))
      throw new RangeError(`volumeMin of a fee tier must be a plain decimal, was "${volumeMin}"`);
  }
}

/** Adds a trade to the daily volume of the user. */
export function countUserVolume(user: User, trade: { pair: string; volume: Lots; timeMs: number }) {
  let days = user.volumeByDay.get(trade.pair);
  if (days === undefined) {
    days = new Map();
    user.volumeByDay.set(trade.pair, days);
  }
  const today = dayOf(trade.timeMs);
  days.set(today, addLots(days.get(today) ?? noLots, trade.volume));
  for (const oldest of days.keys()) {
    if (oldest >= today - windowDays) break;
    days.delete(oldest);
  }
}

/** Returns the volume that the user traded in the 30 days before the last midnight UTC. */
export function thirtyDayVolume(user: User, pair: string, timeMs: number): Lots {
  const today = dayOf(timeMs);
  let volume = noLots;
  for (const [day, lots] of user.volumeByDay.get(pair) ?? [])
    if (day < today && day >= today - windowDays) volume = addLots(volume, lots);
  return volume;
}

/** Returns the rates of the highest tier that the volume reaches, or the user's base rates. */
export function feeRatesOf(user: User, market: Market, timeMs: number): FeeRates {
  if (user.feeTiers.length === 0) return user.fees;
  const volume = thirtyDayVolume(user, market.pair, timeMs);
  let rates: FeeRates = user.fees;
  let reachedMin = -1;
  for (const tier of user.feeTiers) {
    const volumeMin = parseLots(tier.volumeMin, market);
    if (volumeMin === undefined || volume < volumeMin || volumeMin <= reachedMin) continue;
    reachedMin = volumeMin;
    rates = tier;
  }
  return rates;
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}
