/**
 * The figures of a ledger row as integers. A row that this process made has them beside its texts,
 * so that a reader in the same process need not parse what was never formatted.
 */
import type { Amount } from '../../../domain/amount.ts';
import type { TransactionEntry } from './operations/account-operations.ts';

export type LedgerFigures = {
  readonly balance: Amount;
  readonly balanceDelta: Amount;
  readonly available: Amount;
  readonly availableDelta: Amount;
};

/** The member with the figures; a symbol, so that it is not a part of the interface. */
export const ledgerFigures: unique symbol = Symbol('figures');

/** Returns the figures of a row, if it has them. */
export function ledgerFiguresOf(entry: TransactionEntry): LedgerFigures | undefined {
  return (entry as { readonly [ledgerFigures]?: LedgerFigures })[ledgerFigures];
}
