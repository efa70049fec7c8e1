/**
 * Amounts of a currency as the gate counts them: BigInts at 10^-18, called atoms. Markets have
 * different scales and fees are finer than lots, so sums over pairs need one common, exact unit.
 *
 * Invariant: nothing here rounds, except {@link wholeLotsOf}, which says so.
 */
import type { Scales } from '../domain/market.ts';
import { formatScaled, type Lots, type Ticks, withoutTrailingZeros } from '../domain/money.ts';

/** Decimals of an atom; the exchange allows amounts no finer than this. */
const atomScale = 18;

const powers: readonly bigint[] = Array.from({ length: atomScale + 1 }, (_, i) => 10n ** BigInt(i));

const amountPattern = /^-?\d{1,30}(?:\.\d{1,30})?$/u;

/** Returns `text` in atoms, or undefined if it is no plain decimal or is finer than an atom. */
export function parseAtoms(text: string): bigint | undefined {
  if (!amountPattern.test(text)) return undefined;
  const dot = text.indexOf('.');
  if (dot === -1) return BigInt(text) * powerOfTen(atomScale);
  const decimals = text.length - dot - 1;
  const finer = dot + 1 + atomScale;
  if (decimals > atomScale && /[1-9]/u.test(text.slice(finer))) return undefined;
  const digits = text.slice(0, dot) + text.slice(dot + 1, finer);
  return BigInt(digits) * powerOfTen(Math.max(0, atomScale - decimals));
}

/** Returns `atoms` as a plain decimal string without trailing zeros. */
export function formatAtoms(atoms: bigint): string {
  return atoms === 0n ? '0' : withoutTrailingZeros(formatScaled(atoms, atomScale));
}

/** Returns whether prices, volumes and values of a market can be written in atoms. */
export function fitsAtoms(scales: Scales): boolean {
  return (
    scales.priceScale >= 0 &&
    scales.volumeScale >= 0 &&
    Number.isSafeInteger(scales.priceScale + scales.volumeScale) &&
    scales.priceScale + scales.volumeScale <= atomScale
  );
}

/**
 * Returns 10^`exponent`, for an exponent from 0 to {@link atomScale}; throws RangeError outside.
 */
export function powerOfTen(exponent: number): bigint {
  const power = powers[exponent];
  if (power === undefined) throw new RangeError(`exponent must be 0 to 18, was ${exponent}`);
  return power;
}

/** Returns `volume` in atoms of the base currency. */
export function atomsOfVolume(volume: Lots, scales: Scales): bigint {
  return BigInt(volume) * powerOfTen(atomScale - scales.volumeScale);
}

/** Returns `value`, a product of ticks and lots, in atoms of the counter currency. */
export function atomsOfValue(value: number | bigint, scales: Scales): bigint {
  return BigInt(value) * powerOfTen(atomScale - scales.priceScale - scales.volumeScale);
}

/** Returns `price × volume` in atoms of the counter currency; the product may exceed 2^53. */
export function atomsOfOrder(price: Ticks, volume: Lots, scales: Scales): bigint {
  return atomsOfValue(BigInt(price) * BigInt(volume), scales);
}

/**
 * Returns `atoms` of a base currency in whole lots, rounded towards zero: fees leave parts of a
 * lot.
 */
export function wholeLotsOf(atoms: bigint, scales: Scales): Lots {
  const whole = atoms / powerOfTen(atomScale - scales.volumeScale);
  const lots = wholeOf(whole);
  if (Number.isNaN(lots)) throw new RangeError(`lots must fit 2^53, were ${whole}`);
  return lots as Lots;
}

/** Returns `atoms` in whole units, rounded up; NaN if that does not fit 2^53. */
export function unitsAbove(atoms: bigint, atomsPerUnit: bigint): number {
  const whole = atoms / atomsPerUnit;
  return wholeOf(whole * atomsPerUnit < atoms ? whole + 1n : whole);
}

/** Returns `atoms` in whole units, rounded down; NaN if that does not fit 2^53. */
export function unitsBelow(atoms: bigint, atomsPerUnit: bigint): number {
  const whole = atoms / atomsPerUnit;
  return wholeOf(whole * atomsPerUnit > atoms ? whole - 1n : whole);
}

/** Returns a whole number as one that is fast; NaN beyond 2^53. */
export function wholeOf(whole: bigint): number {
  // A count of units that is checked to be exact, not money in a float.
  return safe(Number(whole));
}

/** Returns a whole number, or NaN if it may not be the one that was meant. */
export function safe(whole: number): number {
  return Number.isSafeInteger(whole) ? whole : Number.NaN;
}
