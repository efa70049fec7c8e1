/** Counts of a currency's units as numbers, for fast comparisons: exact, or NaN. */
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

/** Returns `whole` as a number; NaN if it does not fit 2^53. */
export function wholeOf(whole: bigint): number {
  // Not money: a count of units, checked to be exact.
  return safe(Number(whole));
}

/** Returns `whole`, or NaN if it may have been rounded. */
export function safe(whole: number): number {
  return Number.isSafeInteger(whole) ? whole : Number.NaN;
}
