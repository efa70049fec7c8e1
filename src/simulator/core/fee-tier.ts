/**
 * Fees by trading volume: which rates a user has in a market, from the base volume of 30 days up to
 * the last midnight UTC.
 *
 * Each market counts by itself, in its base currency, as fee_info shows it. The tiers are ours; no
 * document shows any.
 */
import { type Market, parseLots } from '../../domain/market.ts';
import type { Lots } from '../../domain/money.ts';
import { addLots, noLots } from '../../domain/ticks-and-lots.ts';
import type { User } from './exchange-state.ts';
import { type FeeRates, parseFeeRate } from './fee-rate.ts';
import type { FeeTier } from './simulator-settings.ts';

const dayMs = 86_400_000;
const windowDays = 30;

/** Throws RangeError if a tier is no tier. */
export function checkFeeTiers(tiers: readonly FeeTier[]): void {
  for (const { volumeMin, maker, taker } of tiers) {
    parseFeeRate(maker);
    parseFeeRate(taker);
    if (!/^(?:0|[1-9]\d{0,11})(?:\.\d{1,18})?$/u.test(volumeMin))
      throw new RangeError(`volumeMin of a fee tier must be a plain decimal, was "${volumeMin}"`);
  }
}

/** Counts a trade of the user. */
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

/** Returns what the user traded in the 30 days before the last midnight. */
export function thirtyDayVolume(user: User, pair: string, timeMs: number): Lots {
  const today = dayOf(timeMs);
  let volume = noLots;
  for (const [day, lots] of user.volumeByDay.get(pair) ?? [])
    if (day < today && day >= today - windowDays) volume = addLots(volume, lots);
  return volume;
}

/** Returns the rates of the highest tier that the volume reaches, or the user's own. */
export function feeRatesOf(user: User, market: Market, timeMs: number): FeeRates {
  if (user.feeTiers.length === 0) return user.fees;
  const volume = thirtyDayVolume(user, market.pair, timeMs);
  let rates: FeeRates = user.fees;
  let reached = -1;
  for (const tier of user.feeTiers) {
    const least = parseLots(tier.volumeMin, market);
    if (least === undefined || volume < least || least <= reached) continue;
    reached = least;
    rates = tier;
  }
  return rates;
}

function dayOf(timeMs: number): number {
  return Math.floor(timeMs / dayMs);
}
