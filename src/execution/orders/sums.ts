/** Traded amounts of an order or of several fills, as exact integers. */
import { amountOf, type Sums } from '../../domain/amount.ts';
import type { FillRow } from '../../domain/records.ts';

export const noSums: Sums = { base: 0n, counter: 0n, feeBase: 0n, feeCounter: 0n };

/** Returns the member-wise sum of two sums. */
export function addSums(a: Sums, b: Sums): Sums {
  return {
    base: a.base + b.base,
    counter: a.counter + b.counter,
    feeBase: a.feeBase + b.feeBase,
    feeCounter: a.feeCounter + b.feeCounter,
  };
}

/** Returns whether two sums are exactly equal. */
export function equalSums(a: Sums, b: Sums): boolean {
  return (
    a === b ||
    (a.base === b.base &&
      a.counter === b.counter &&
      a.feeBase === b.feeBase &&
      a.feeCounter === b.feeCounter)
  );
}

/** Returns the sums of a stored row; throws RangeError naming a text that is not an amount. */
export function sumsOf(row: Pick<FillRow, 'base' | 'counter' | 'feeBase' | 'feeCounter'>): Sums {
  return {
    base: amountOf(row.base),
    counter: amountOf(row.counter),
    feeBase: amountOf(row.feeBase),
    feeCounter: amountOf(row.feeCounter),
  };
}
