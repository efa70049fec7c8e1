/** Amounts of any currency as exact integers: bigints in atoms of 10^-18. */
import type { Market } from '../../domain/market.ts';
import {
  Decimal,
  decimalOf,
  formatScaled,
  type Lots,
  type Ticks,
  withoutTrailingZeros,
} from '../../domain/money.ts';

export type Atoms = bigint;

const scale = 18;
const atomsPerUnit = new Decimal(10).pow(scale);
const powers: readonly bigint[] = Array.from({ length: scale + 1 }, (_, i) => 10n ** BigInt(i));

/** Returns a decimal of at most 18 decimals in atoms; throws RangeError for anything else. */
export function atomsOf(text: string): Atoms {
  const atoms = decimalOf(text).times(atomsPerUnit);
  if (!atoms.isInteger()) throw new RangeError(`amount has more than 18 decimals: "${text}"`);
  return BigInt(atoms.toFixed(0));
}

/** Returns `count × 10^-decimals` in atoms. */
export function atomsOfScaled(count: bigint | number, decimals: number): Atoms {
  return BigInt(count) * (powers[scale - decimals] as bigint);
}

/** Returns price times volume in atoms of the counter currency. */
export function atomsOfValue(price: Ticks, volume: Lots, market: Market): Atoms {
  return atomsOfScaled(BigInt(price) * BigInt(volume), market.priceScale + market.volumeScale);
}

/** Returns atoms as a plain decimal string without needless zeros. */
export function formatAtoms(atoms: Atoms): string {
  return atoms === 0n ? '0' : withoutTrailingZeros(formatScaled(atoms, scale));
}
