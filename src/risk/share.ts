/** Fractions of the settings, such as a collar, and exact comparisons with them. */
import { amountScale, formatAmount, parseAmount, powerOfTen } from '../domain/amount.ts';
import { productOf, type Whole, wholeOf } from './whole-numbers.ts';

/** The fraction `part / whole`, reduced; missing if `part` is undefined. */
export type Share = {
  readonly part: Whole | undefined;
  readonly whole: Whole;
  /** As written in the settings. */
  readonly text: string;
};

const one = powerOfTen(amountScale);

/** Returns a fraction as the checks compare it. */
export function shareOf(text: string | undefined): Share {
  const scaled = text === undefined ? undefined : parseAmount(text);
  if (scaled === undefined) return { part: undefined, whole: 1, text: text ?? 'missing' };
  const common = commonDivisor(scaled, one);
  return { part: wholeOf(scaled / common), whole: wholeOf(one / common), text: text ?? '' };
}

/** Whether `part` is at most this share of `whole`; false for a missing share. */
export function isWithinShare(part: Whole, whole: Whole, share: Share | undefined): boolean {
  if (share?.part === undefined) return false;
  return productOf(part, share.whole) <= productOf(share.part, whole);
}

/**
 * Returns `part / whole` as text, rounded up, so that the number shown exceeds a limit whenever the
 * exact one does. Both are positive.
 */
export function shareText(part: Whole, whole: Whole): string {
  const divisor = BigInt(whole);
  return formatAmount((BigInt(part) * one + divisor - 1n) / divisor);
}

function commonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? (a < 0n ? -a : a) : commonDivisor(b, a % b);
}
