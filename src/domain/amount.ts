/**
 * Amounts of any currency as exact integers. Markets have different scales, and fees have more
 * decimals than lots, so balances, fees and sums over pairs share one unit: 10^-18 of the currency.
 *
 * Invariant: nothing here rounds, except {@link wholeLotsOf}.
 */
import type { Scales } from './market.ts';
import type { Lots, Ticks } from './money.ts';

/** An amount of a currency in units of 10^-18. */
export type Amount = bigint;

/** Principal amounts without fees, and the fees. */
export type Sums = {
  readonly base: Amount;
  readonly counter: Amount;
  readonly feeBase: Amount;
  readonly feeCounter: Amount;
};

/** Decimals of an amount; the exchange allows no more. */
export const amountScale = 18;

/** The code of the character 0. */
const zero = 48;

const exponentMax = 40;
const powers: readonly bigint[] = Array.from(
  { length: exponentMax + 1 },
  (_, i) => 10n ** BigInt(i),
);

/** Integers of up to this many digits are below 2^53. */
const shortDigitsMax = 15;
/** With room for a sign and a decimal point. */
const shortLengthMax = shortDigitsMax + 2;
const amountPattern = /^-?\d{1,30}(?:\.\d{1,30})?$/u;

/** Returns 10^`exponent`; throws RangeError unless the exponent is 0 to 40. */
export function powerOfTen(exponent: number): bigint {
  const power = powers[exponent];
  if (power === undefined) {
    throw new RangeError(`exponent must be 0 to ${exponentMax}, was ${exponent}`);
  }
  return power;
}

/**
 * Returns `text` as an amount, or undefined if it is not a plain decimal or has more than 18
 * significant decimals.
 */
export function parseAmount(text: string): Amount | undefined {
  if (text.length <= shortLengthMax) {
    const amount = parseShortAmount(text);
    if (amount !== undefined) return amount;
  }
  if (!amountPattern.test(text)) return undefined;
  const dot = text.indexOf('.');
  if (dot === -1) return BigInt(text) * powerOfTen(amountScale);
  const decimals = text.length - dot - 1;
  const finer = dot + 1 + amountScale;
  if (decimals > amountScale && /[1-9]/u.test(text.slice(finer))) return undefined;
  const digits = text.slice(0, dot) + text.slice(dot + 1, finer);
  return BigInt(digits) * powerOfTen(Math.max(0, amountScale - decimals));
}

/**
 * Fast path of {@link parseAmount} for short texts, without a pattern or substrings. Returns
 * undefined for texts that the slow path must check.
 */
function parseShortAmount(text: string): Amount | undefined {
  const isNegative = text.charCodeAt(0) === 45;
  let at = isNegative ? 1 : 0;
  let digits = 0;
  let dot = -1;
  let count = 0;
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 48 && code <= 57) {
      count = count * 10 + (code - 48);
      digits++;
    } else if (code === 46 && dot === -1 && digits > 0) dot = at;
    else return undefined;
  }
  const decimals = dot === -1 ? 0 : text.length - dot - 1;
  if (digits === 0 || digits > shortDigitsMax || (dot !== -1 && decimals === 0)) return undefined;
  if (count === 0) return 0n;
  return BigInt(isNegative ? -count : count) * powerOfTen(amountScale - decimals);
}

/** Like {@link parseAmount}, but throws RangeError instead of returning undefined. */
export function amountOf(text: string): Amount {
  const amount = parseAmount(text);
  if (amount === undefined) {
    throw new RangeError(`amount must be a plain number with at most 18 decimals, was "${text}"`);
  }
  return amount;
}

/** Returns `count × 10^-decimals`; `decimals` is 0 to 18. */
export function amountOfScaled(count: bigint | number, decimals: number): Amount {
  return BigInt(count) * powerOfTen(amountScale - decimals);
}

export function amountOfVolume(volume: Lots | number, scales: Scales): Amount {
  return amountOfScaled(volume, scales.volumeScale);
}

/** Returns `value`, a product of ticks and lots, in the counter currency. */
export function amountOfValue(value: number | bigint, scales: Scales): Amount {
  return amountOfScaled(value, scales.priceScale + scales.volumeScale);
}

/** Returns `price × volume` in the counter currency; the product may exceed 2^53. */
export function amountOfOrder(price: Ticks, volume: Lots | number, scales: Scales): Amount {
  const product = price * volume;
  const isExact = Number.isSafeInteger(product);
  return amountOfValue(isExact ? product : BigInt(price) * BigInt(volume), scales);
}

/** Returns whether an amount can hold the prices, volumes and values of a market exactly. */
export function fitsAmount(scales: Scales): boolean {
  return (
    scales.priceScale >= 0 &&
    scales.volumeScale >= 0 &&
    Number.isSafeInteger(scales.priceScale + scales.volumeScale) &&
    scales.priceScale + scales.volumeScale <= amountScale
  );
}

/**
 * Returns `amount` of a base currency in whole lots, rounded towards zero, because fees can leave
 * a fraction of a lot. Throws RangeError beyond 2^53.
 */
export function wholeLotsOf(amount: Amount, scales: Scales): Lots {
  const whole = amount / powerOfTen(amountScale - scales.volumeScale);
  // A count of lots, checked to be exact; not money in a float.
  const lots = Number(whole);
  if (!Number.isSafeInteger(lots)) throw new RangeError(`lots must fit 2^53, were ${whole}`);
  return lots as Lots;
}

/** Returns `price` in ticks; undefined unless it is a whole number of ticks below 2^53. */
export function ticksOfAmount(price: Amount, scales: Scales): Ticks | undefined {
  return countOf(price, scales.priceScale) as Ticks | undefined;
}

/** Returns `volume` in lots; undefined unless it is a whole number of lots below 2^53. */
export function lotsOfAmount(volume: Amount, scales: Scales): Lots | undefined {
  return countOf(volume, scales.volumeScale) as Lots | undefined;
}

function countOf(amount: Amount, scale: number): number | undefined {
  const unit = powerOfTen(amountScale - scale);
  // A count of ticks or lots, checked to be exact; not money in a float.
  const count = Number(amount / unit);
  return amount % unit === 0n && Number.isSafeInteger(count) ? count : undefined;
}

/** Returns `amount` as a plain decimal string without trailing zeros. */
export function formatAmount(amount: Amount): string {
  return amount === 0n ? '0' : withDecimals(amount, 0);
}

/** Returns `amount` as the exchange writes it: no trailing zeros, but at least two decimals. */
export function formatWireAmount(amount: Amount): string {
  return withDecimals(amount, 2);
}

/** Returns `amount` without trailing zeros, but with at least `decimalsMin` decimals. */
function withDecimals(amount: Amount, decimalsMin: number): string {
  // Hot path: called for every row and message of every order.
  const isNegative = amount < 0n;
  const digits = (isNegative ? -amount : amount).toString().padStart(amountScale + 1, '0');
  const point = digits.length - amountScale;
  let end = digits.length;
  while (end > point + decimalsMin && digits.charCodeAt(end - 1) === zero) end--;
  const whole = digits.slice(0, point);
  const text = end === point ? whole : `${whole}.${digits.slice(point, end)}`;
  return isNegative ? `-${text}` : text;
}
