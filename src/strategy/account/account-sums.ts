/** Sums over the pairs of a strategy. */
import { Decimal } from '../../domain/money.ts';
import type { Profit, Totals } from './own-account.ts';

const nothing = new Decimal(0);

/** Returns the sum of the profits of several pairs; a part is unknown if it is for one of them. */
export function sumOfProfits(profits: readonly Profit[]): Profit {
  const sumOf = (part: keyof Profit): Decimal | undefined => {
    let sum = nothing;
    for (const profit of profits) {
      const value = profit[part];
      if (value === undefined) return undefined;
      sum = sum.plus(value);
    }
    return sum;
  };
  return Object.freeze({ realised: sumOf('realised'), open: sumOf('open'), total: sumOf('total') });
}

/** Returns the fees of `pairs` that were paid in `currency`. */
export function sumOfFees(
  currency: string,
  pairs: readonly { readonly base: string; readonly counter: string; readonly totals: Totals }[],
): Decimal {
  let sum = nothing;
  for (const { base, counter, totals } of pairs) {
    if (base === currency) sum = sum.plus(totals.fees.base);
    if (counter === currency) sum = sum.plus(totals.fees.counter);
  }
  return sum;
}
