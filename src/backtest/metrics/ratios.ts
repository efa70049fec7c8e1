/** Shares and ratios of figures: plain numbers, rounded so that the last bits do not matter. */
import type { Amount } from '../../domain/amount.ts';

export function ratioOf(part: Amount, whole: Amount): number {
  return rounded(Number((part * 1_000_000_000n) / whole) / 1e9); // not money: a share
}

/** Returns `part / whole`; null of nothing. */
export function shareOf(part: number, whole: number): number | null {
  return whole === 0 ? null : rounded(part / whole);
}

/** Rounds to a millionth. */
export function rounded(value: number): number {
  return Math.round(value * 1e6) / 1e6;
}
