/**
 * The fee buffer: a share of an order's value that the account keeps free for a fee.
 *
 * Only a bid needs it. By the exchange's rule a bid may pay a fee in the counter currency beside
 * its value. The fee of an ask is taken from what it receives, so a whole position can be sold.
 */
import type { CurrencyUnit, Exact } from './currency-unit.ts';
import type { Share } from './share.ts';

/**
 * Returns what a bid of this value needs in all, rounded up to 10^-18; undefined if the share is
 * missing. The value is not negative.
 */
export function withFeeBuffer(
  unit: CurrencyUnit,
  value: Exact,
  { part, whole }: Share,
): Exact | undefined {
  if (part === undefined) return undefined;
  if (typeof value === 'number' && typeof part === 'number' && typeof whole === 'number') {
    const parts = value * part;
    if (Number.isSafeInteger(parts) && parts % whole === 0) return unit.plus(value, parts / whole);
  }
  const amount = unit.amount(value);
  const divisor = BigInt(whole);
  return unit.of(amount + (amount * BigInt(part) + divisor - 1n) / divisor);
}

/** Returns the largest value that a bid may have with these free funds; 0 if there is none. */
export function valueWithin(unit: CurrencyUnit, free: Exact, { part, whole }: Share): Exact {
  if (free <= 0 || part === undefined) return 0;
  return unit.of((unit.amount(free) * BigInt(whole)) / (BigInt(whole) + BigInt(part)));
}
