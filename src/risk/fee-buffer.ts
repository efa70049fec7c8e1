/**
 * The fee buffer: a share of an order's value that the account keeps free for a fee.
 *
 * Only a bid needs it. By the exchange's rule a bid may pay a fee in the counter currency beside
 * its value. The fee of an ask is taken from what it receives, so a whole position can be sold.
 */
import { powerOfTen } from '../domain/amount.ts';
import type { Share } from './gate-limits.ts';

const one = powerOfTen(18);

/** Returns what a bid of this value needs in all; undefined if the share is missing. */
export function withFeeBuffer(value: bigint, { scaled }: Share): bigint | undefined {
  return scaled === undefined ? undefined : value + (value * scaled + one - 1n) / one;
}

/** The same in whole units, rounded up; NaN if missing or too large to be exact. */
export function unitsWithFeeBuffer(units: number, { millionths }: Share): number {
  const buffer = units * (millionths + 1);
  return Number.isSafeInteger(buffer) ? units + Math.ceil(buffer / 1_000_000) : Number.NaN;
}

/** Returns the largest value that a bid may have with these free funds; 0 if there is none. */
export function valueWithin(free: bigint, { scaled }: Share): bigint {
  return free <= 0n || scaled === undefined ? 0n : (free * one) / (one + scaled);
}
