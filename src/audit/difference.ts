/** A difference between the store and the exchange. */
import { type Amount, formatAmount } from '../domain/amount.ts';
import { decimalOf } from '../domain/money.ts';

export type Difference = {
  readonly kind: 'order' | 'fill' | 'ledger' | 'balance';
  /** The compared item: an id, a trade, a row or a currency. */
  readonly subject: string;
  readonly field: string;
  /** The store's value; null if it has none. */
  readonly store: string | null;
  /** The exchange's value; null if it has none. */
  readonly exchange: string | null;
};

export type DifferenceSink = (difference: Difference) => void;

/** A field of both sides. */
export type ComparedField = {
  readonly store: string;
  readonly exchange: string;
  /** Whether the two are compared by value. */
  readonly isAmount?: true;
};

export function amounts(store: string, exchange: Amount): ComparedField {
  return { store, exchange: formatAmount(exchange), isAmount: true };
}

/** Reports each field whose texts differ; amounts are compared by value. */
export function compareFields(
  about: { readonly kind: Difference['kind']; readonly subject: string },
  fields: Readonly<Record<string, ComparedField>>,
  report: DifferenceSink,
): void {
  for (const [field, { store, exchange, isAmount }] of Object.entries(fields)) {
    const isSame = isAmount ? decimalOf(store).eq(decimalOf(exchange)) : store === exchange;
    if (!isSame) report({ ...about, field, store, exchange });
  }
}

export function differenceLine({ kind, subject, field, store, exchange }: Difference): string {
  return `${kind.padEnd(8)} ${subject}: ${field} is ${store ?? 'missing'} in the store, ${exchange ?? 'missing'} at the exchange`;
}
