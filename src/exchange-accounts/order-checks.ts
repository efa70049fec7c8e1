/**
 * The checks of a new order that every exchange makes, each by the name of what fails. Exchanges
 * have further checks between them, so each of them makes these in its own order.
 */
import type { Amount } from '../domain/amount.ts';
import type { LimitOrder } from '../domain/limit-order.ts';
import type { Market } from '../domain/market.ts';
import type { Lots } from '../domain/money.ts';
import { availableOf, type LedgerAccount } from './ledger.ts';

export type FailedCheck =
  | 'post-only-time-in-force'
  | 'price-not-positive'
  | 'price-below-minimum'
  | 'price-above-maximum'
  | FailedVolume;

export type FailedVolume = 'volume-not-positive' | 'volume-below-minimum' | 'volume-above-maximum';

/** Whether a request comes too late. A time in the future is allowed: clocks differ. */
export function isExpired(
  { timestampMs, ttlMs }: { readonly timestampMs: number; readonly ttlMs: number },
  nowMs: number,
): boolean {
  return nowMs > timestampMs + ttlMs;
}

/** Checks whether the order may be post-only. */
export function failedTimeInForce(
  order: Pick<LimitOrder, 'timeInForce' | 'postOnly'>,
): FailedCheck | undefined {
  return order.postOnly && order.timeInForce !== 'GTC' ? 'post-only-time-in-force' : undefined;
}

export function failedLimit(
  { price, volume }: Pick<LimitOrder, 'price' | 'volume'>,
  market: Market,
): FailedCheck | undefined {
  if (!Number.isSafeInteger(price) || price === 0) return 'price-not-positive';
  if (!Number.isSafeInteger(volume) || volume <= 0) return 'volume-not-positive';
  if (price < market.priceMin) return 'price-below-minimum';
  if (price > market.priceMax) return 'price-above-maximum';
  return failedVolume(volume, market);
}

/** Checks a volume above 0 against the market's limits. */
export function failedVolume(volume: Lots, market: Market): FailedVolume | undefined {
  if (volume < market.volumeMin) return 'volume-below-minimum';
  return volume > market.volumeMax ? 'volume-above-maximum' : undefined;
}

export function canSpend(account: LedgerAccount, needed: Amount): boolean {
  return availableOf(account) >= needed;
}
