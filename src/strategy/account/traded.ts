/** Makes what a strategy sees of exact sums. */
import { type Amount, type Sums, wholeLotsOf } from '../../domain/amount.ts';
import { decimalOfAmount, quotientOfAmounts } from '../../domain/amount-decimal.ts';
import type { Scales } from '../../domain/market.ts';
import { Decimal } from '../../domain/money.ts';
import type { Fees, Traded } from './own-account.ts';

const nothing = new Decimal(0);

/** The fees of most fills of a maker. */
export const noFees: Fees = Object.freeze({ base: nothing, counter: nothing });

/** Returns the fees of `sums`, frozen. */
export function feesOf({ feeBase, feeCounter }: Pick<Sums, 'feeBase' | 'feeCounter'>): Fees {
  if (feeBase === 0n && feeCounter === 0n) return noFees;
  return Object.freeze({ base: decimalOf(feeBase), counter: decimalOf(feeCounter) });
}

/** Returns `sums` as a strategy sees them, frozen. */
export function tradedOf(sums: Sums, scales: Scales): Traded {
  const { base, counter } = sums;
  return Object.freeze({
    volume: wholeLotsOf(base, scales),
    value: decimalOf(counter),
    averagePrice: base === 0n ? undefined : quotientOfAmounts(counter, base),
    fees: feesOf(sums),
  });
}

function decimalOf(amount: Amount): Decimal {
  return amount === 0n ? nothing : decimalOfAmount(amount);
}
