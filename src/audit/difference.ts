/** One thing that two records say differently, to the last digit. */
import { decimalOf } from '../domain/money.ts';

export type Difference = {
  readonly kind: 'order' | 'fill' | 'ledger' | 'balance';
  /** What it is about: an id, a trade, a row, a currency. */
  readonly subject: string;
  readonly field: string;
  /** What the store says; null if it says nothing. */
  readonly store: string | null;
  readonly exchange: string | null;
};

export type DifferenceSink = (difference: Difference) => void;

/** The same amount, however many zeros it ends with. */
export function isSameAmount(a: string, b: string): boolean {
  return decimalOf(a).eq(decimalOf(b));
}

/** Tells of each field whose texts are not equal. Amounts are equal when their values are. */
export function compareFields(
  about: { readonly kind: Difference['kind']; readonly subject: string },
  fields: Readonly<
    Record<string, { readonly store: string; readonly exchange: string; readonly isAmount?: true }>
  >,
  tell: DifferenceSink,
): void {
  for (const [field, { store, exchange, isAmount }] of Object.entries(fields)) {
    const isSame = isAmount ? isSameAmount(store, exchange) : store === exchange;
    if (!isSame) tell({ ...about, field, store, exchange });
  }
}

/** The difference for people. */
export function differenceLine({ kind, subject, field, store, exchange }: Difference): string {
  return `${kind.padEnd(8)} ${subject}: ${field} is ${store ?? 'missing'} in the store, ${exchange ?? 'missing'} at the exchange`;
}
