/**
 * Exact numbers: decimal strings at the edge, integers inside, {@link Decimal} in accounting.
 *
 * Invariants: a float never holds money; only plain decimal text becomes a number; formatting never
 * uses exponents.
 */
import { Decimal as DecimalJs } from 'decimal.js';

/**
 * decimal.js with 40 significant digits, because its default of 20 cannot hold the 12+18 digits
 * that the exchange allows, and without exponents in text.
 */
export const Decimal = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Decimal = DecimalJs;

/** A price in the market's smallest steps: `price × 10^priceScale`. A safe integer. */
export type Ticks = number & { readonly __ticks: true };

/** A volume in the market's smallest steps: `volume × 10^volumeScale`. A safe integer. */
export type Lots = number & { readonly __lots: true };

/** Character codes of a plain decimal. */
const minus = 45;
const point = 46;
const zero = 48;
const nine = 57;
/** On each side of the decimal point. */
const digitsMax = 30;

// decimal.js would also accept "1e3", "0x1f", "1_000", " 7 " and "Infinity".
const plainDecimal = /^-?(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/u;

/** Returns whether `text` is a plain decimal number. */
export function isPlainDecimal(text: string): boolean {
  return plainDecimal.test(text);
}

/** Cache for short amounts, which repeat: zero, an order's size, price and fee. */
const knownDecimals = new Map<string, Decimal>();
const knownLengthMax = 10;
const knownDecimalsMax = 1_000;

/** Returns `text` as an exact decimal, or undefined if it is not a plain decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  if (text.length > knownLengthMax) return isPlainDecimal(text) ? new Decimal(text) : undefined;
  const known = knownDecimals.get(text);
  if (known !== undefined || !isPlainDecimal(text)) return known;
  const value = new Decimal(text);
  if (knownDecimals.size >= knownDecimalsMax) knownDecimals.clear();
  knownDecimals.set(text, value);
  return value;
}

/** Like {@link parseDecimal}, but throws RangeError, which states what was given. */
export function decimalOf(text: string): Decimal {
  const value = typeof text === 'string' ? parseDecimal(text) : undefined;
  if (value === undefined) throw new RangeError(`amount must be a plain decimal, was "${text}"`);
  return value;
}

/**
 * Returns `text × 10^scale` as a safe integer, or undefined if the text is not a plain decimal, has
 * more significant decimals than `scale`, or does not fit 2^53. Trailing zeros beyond the scale are
 * accepted, because the exchange's REST books have 18 decimals.
 */
export function parseScaled(text: string, scale: number): number | undefined {
  // Hot path for every price and volume of a market: one pass, without a pattern.
  const start = text.charCodeAt(0) === minus ? 1 : 0;
  let value = 0;
  let end = text.length;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === point && end === text.length) end = at;
    else if (code < zero || code > nine) return undefined;
    else if (at - end <= scale) value = value * 10 + (code - zero);
    else if (code !== zero) return undefined;
  }
  const decimals = Math.max(0, text.length - end - 1);
  if (!isWholePart(text, start, end) || decimals > digitsMax) return undefined;
  if (end < text.length && decimals === 0) return undefined;
  for (let missing = scale - decimals; missing > 0; missing--) value *= 10;
  // A value beyond 2^53 has been rounded, but is still beyond 2^53.
  if (!Number.isSafeInteger(value)) return undefined;
  return start === 1 && value !== 0 ? -value : value;
}

/** Returns whether the digits from `start` to `end` are a valid whole part: no leading zeros. */
function isWholePart(text: string, start: number, end: number): boolean {
  const count = end - start;
  return count === 1 || (count > 1 && count <= digitsMax && text.charCodeAt(start) !== zero);
}

/** Returns `value × 10^-scale` as a plain decimal string with `scale` decimals. */
export function formatScaled(value: number | bigint, scale: number): string {
  const negative = value < 0;
  const digits = digitsOf(value);
  if (scale === 0) return negative ? `-${digits}` : digits;
  const whole = digits.length - scale;
  const text =
    whole > 0
      ? `${digits.slice(0, whole)}.${digits.slice(whole)}`
      : `0.${digits.padStart(scale, '0')}`;
  return negative ? `-${text}` : text;
}

/** Returns the digits of an integer, without its sign. */
function digitsOf(value: number | bigint): string {
  if (Number.isSafeInteger(value)) return String(value < 0 ? -value : value);
  const exact = BigInt(value);
  return String(exact < 0n ? -exact : exact);
}

/** Returns `value` as a plain decimal string, without exponent and without trailing zeros. */
export function formatDecimal(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed();
}
