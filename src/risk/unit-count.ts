/**
 * A count of a currency's units (see `currency-units.ts`), exact at any size: a number if it fits
 * 2^53, as nearly always, since arithmetic on numbers takes a fiftieth of the time of a bigint.
 */
export type UnitCount = number | bigint;

/** Returns a whole number as a count. */
export function unitCountOf(whole: bigint): UnitCount {
  const count = Number(whole); // not money: a count, checked to be exact
  return Number.isSafeInteger(count) ? count : whole;
}

/** Returns `a × b`; both are whole. */
export function unitProduct(a: number, b: number): UnitCount {
  const product = a * b;
  return Number.isSafeInteger(product) ? product : BigInt(a) * BigInt(b);
}

/** Returns `count × factor`; the factor is whole. */
export function timesUnits(count: UnitCount, factor: number): UnitCount {
  return typeof count === 'number' ? unitProduct(count, factor) : count * BigInt(factor);
}

/** Returns `a + b`. */
export function sumOfUnits(a: UnitCount, b: UnitCount): UnitCount {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return unitCountOf(BigInt(a) + BigInt(b));
}
