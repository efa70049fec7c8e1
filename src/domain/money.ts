/**
 * Exact amounts. Decimal strings at the edge, integers inside, {@link Decimal} in accounting.
 *
 * Invariants: a float never holds money; text that is not a plain decimal never becomes an amount;
 * formatting never uses exponents.
 */
import { Decimal as DecimalJs } from 'decimal.js';

/**
 * Our own decimal.js: 40 significant digits, because the library's default of 20 loses the tail of
 * the 12+18 digit amounts that the exchange allows, and never an exponent when printed.
 */
export const Decimal = DecimalJs.clone({
  precision: 40,
  rounding: DecimalJs.ROUND_HALF_EVEN,
  toExpNeg: -40,
  toExpPos: 60,
});
export type Decimal = DecimalJs;

/** Price of one market in its smallest steps: `price × 10^priceScale`. A safe integer. */
export type Ticks = number & { readonly __ticks: true };

/** Volume of one market in its smallest steps: `volume × 10^volumeScale`. A safe integer. */
export type Lots = number & { readonly __lots: true };

// decimal.js alone accepts "1e3", "0x1f", "1_000", " 7 " and "Infinity"; an exchange never sends
// those.
const plainDecimal = /^-?(?:0|[1-9]\d{0,29})(?:\.\d{1,30})?$/u;

/** Whether `text` is a plain decimal number. */
export function isPlainDecimal(text: string): boolean {
  return plainDecimal.test(text);
}

/** Returns `text` as an exact decimal, or undefined if it is not a plain decimal number. */
export function parseDecimal(text: string): Decimal | undefined {
  return isPlainDecimal(text) ? new Decimal(text) : undefined;
}

/** Returns `text` as an exact decimal; throws RangeError naming the text if it is not one. */
export function decimalOf(text: string): Decimal {
  const value = parseDecimal(text);
  if (value === undefined) throw new RangeError(`amount must be a plain decimal, was "${text}"`);
  return value;
}

/**
 * Returns `text × 10^scale` as a safe integer, or undefined if the text is not a plain decimal, has
 * more significant decimals than `scale`, or does not fit 2^53. Trailing zeros beyond the scale are
 * accepted, since the exchange's REST books carry 18 decimals.
 */
export function parseScaled(text: string, scale: number): number | undefined {
  if (!plainDecimal.test(text)) return undefined;
  const negative = text.charCodeAt(0) === 45;
  const point = text.indexOf('.');
  const whole = text.slice(negative ? 1 : 0, point === -1 ? undefined : point);
  const fraction = point === -1 ? '' : text.slice(point + 1);
  for (let i = scale; i < fraction.length; i++) if (fraction.charCodeAt(i) !== 48) return undefined;
  const digits = whole + fraction.slice(0, scale).padEnd(scale, '0');
  const value = Number.parseInt(digits, 10);
  if (!Number.isSafeInteger(value)) return undefined;
  return negative && value !== 0 ? -value : value;
}

/**
 * Returns the integer `value` at `scale` decimals as a plain decimal string with all its decimals.
 */
export function formatScaled(value: number | bigint, scale: number): string {
  const negative = value < 0;
  const digits = (negative ? -BigInt(value) : BigInt(value)).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const text = scale === 0 ? whole : `${whole}.${digits.slice(digits.length - scale)}`;
  return negative ? `-${text}` : text;
}

/** Returns `value` as a plain decimal string, without exponent and without trailing zeros. */
export function formatDecimal(value: Decimal): string {
  return value.isZero() ? '0' : value.toFixed();
}
