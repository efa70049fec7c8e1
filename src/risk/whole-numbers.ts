/**
 * Whole numbers of any size, exact: a number if it fits 2^53, as nearly always, since arithmetic on
 * numbers takes a fiftieth of the time of a bigint. `<=` compares both kinds exactly.
 */
export type Whole = number | bigint;

/** Returns `value` as a number if it fits. */
export function wholeOf(value: bigint): Whole {
  const count = Number(value); // not money: a count, checked to be exact
  return Number.isSafeInteger(count) ? count : value;
}

export function sumOf(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return wholeOf(BigInt(a) + BigInt(b));
}

export function productOf(a: Whole, b: Whole): Whole {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    if (Number.isSafeInteger(product)) return product;
  }
  return wholeOf(BigInt(a) * BigInt(b));
}
