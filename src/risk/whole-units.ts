/** Counts of a currency's unit as numbers, for the fast path: exact, or NaN. */
import type { Amount } from '../domain/amount.ts';

/** Returns `amount` in whole units of `unit`, rounded up; NaN if that does not fit 2^53. */
export function unitsAbove(amount: Amount, unit: Amount): number {
  const whole = amount / unit;
  return wholeOf(whole * unit < amount ? whole + 1n : whole);
}

/** Returns `amount` in whole units of `unit`, rounded down; NaN if that does not fit 2^53. */
export function unitsBelow(amount: Amount, unit: Amount): number {
  const whole = amount / unit;
  return wholeOf(whole * unit > amount ? whole - 1n : whole);
}

/** Returns a whole number as a fast one; NaN beyond 2^53. */
export function wholeOf(whole: bigint): number {
  // A count of units that is checked to be exact, not money in a float.
  return safe(Number(whole));
}

/** Returns a whole number, or NaN if it may have been rounded. */
export function safe(whole: number): number {
  return Number.isSafeInteger(whole) ? whole : Number.NaN;
}
