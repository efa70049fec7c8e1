/**
 * Amounts of any currency as exact integers: bigints in units of 10^-18, so that every price,
 * volume, value and fee of every market fits without rounding.
 */
import type { Market } from '../../domain/market.ts';
import type { Lots, Ticks } from '../../domain/money.ts';

/** 10^-18 of a currency. */
export type Units = bigint;

export const unitScale = 18;

type Scales = Pick<Market, 'priceScale' | 'volumeScale'>;

const powersOfTen: readonly bigint[] = Array.from(
  { length: 40 },
  (_, exponent) => 10n ** BigInt(exponent),
);

/** Returns 10^`exponent`. */
export function powerOfTen(exponent: number): bigint {
  return powersOfTen[exponent] ?? 10n ** BigInt(exponent);
}

/** Returns a volume in units of the base currency. */
export function unitsOfLots(lots: Lots | number, market: Scales): Units {
  return BigInt(lots) * powerOfTen(unitScale - market.volumeScale);
}

/** Returns price times volume in units of the counter currency. */
export function unitsOfValue(price: Ticks, lots: Lots | number, market: Scales): Units {
  return (
    BigInt(price) * BigInt(lots) * powerOfTen(unitScale - market.priceScale - market.volumeScale)
  );
}

/**
 * Returns a decimal string of at most 18 decimals as units; throws RangeError for anything else.
 */
export function parseUnits(text: string): Units {
  const match = /^(-?)(\d{1,30})(?:\.(\d{1,18}))?$/u.exec(text);
  if (match === null) throw new RangeError(`amount must be a plain decimal, was "${text}"`);
  const magnitude = BigInt(`${match[2]}${(match[3] ?? '').padEnd(unitScale, '0')}`);
  return match[1] === '-' ? -magnitude : magnitude;
}

/** Returns units as a decimal string without needless zeros, but with two decimals at least. */
export function formatUnits(units: Units): string {
  // Written for every row and message of every order, so no pattern and no second text.
  const isNegative = units < 0n;
  const digits = (isNegative ? -units : units).toString().padStart(unitScale + 1, '0');
  const point = digits.length - unitScale;
  let end = digits.length;
  while (end > point + 2 && digits.charCodeAt(end - 1) === 48) end--;
  return `${isNegative ? '-' : ''}${digits.slice(0, point)}.${digits.slice(point, end)}`;
}
