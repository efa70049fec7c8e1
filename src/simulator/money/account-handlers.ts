/** Answers of balance, transactions and pending. */
import { formatWireAmount } from '../../domain/amount.ts';
import { limits } from '../../exchange-api/limits.ts';
import { transactionEntryOf } from '../core/account.ts';
import type { Handlers } from '../core/handler.ts';
import { rowsBetween } from '../core/history-bounds.ts';
import { refuse } from '../core/refusal.ts';
import { pendingEntriesOf, unconfirmedOf } from './arrivals.ts';

export const accountHandlers: Pick<Handlers, 'balance' | 'transactions' | 'listPending'> = {
  balance: ({ assets, account_type: types }, { exchange, user }) => {
    const accounts = [...exchange.state.accounts.values()].filter(
      (account) =>
        account.userId === user().id &&
        (assets === undefined || assets.includes(account.currency)) &&
        (types === undefined || types.includes(account.type)),
    );
    return {
      balance: accounts.map((account) => ({
        account_id: account.id,
        account_type: account.type,
        asset: account.currency,
        balance: formatWireAmount(account.balance),
        reserved: formatWireAmount(account.reserved),
        unconfirmed: formatWireAmount(unconfirmedOf(exchange, account)),
        name: account.name,
      })),
    };
  },

  transactions: ({ id, min_row: minRow, max_row: maxRow }, { exchange, user }) => {
    const account = exchange.state.accounts.get(id);
    if (account === undefined || account.userId !== user().id)
      return refuse('ErrAccountNotFound', 'Account not found');
    const first = rowOf(minRow, account.rowCount);
    const end = rowOf(maxRow, account.rowCount);
    if (end - first > BigInt(limits.ledgerRowsPerCallMax))
      return refuse(
        'ErrTooManyRowsRequested',
        `Too many rows requested: at most ${limits.ledgerRowsPerCallMax}`,
      );
    const rows = rowsBetween(account, first, end);
    return { id: account.id, transactions: rows.map((row) => transactionEntryOf(account, row)) };
  },

  listPending: ({ id }, { exchange, user }) => {
    const account = exchange.state.accounts.get(id);
    if (account === undefined || account.userId !== user().id)
      return refuse('ErrAccountNotFound', 'Account not found');
    const pending = pendingEntriesOf(exchange, account);
    return { id, currency: account.currency, name: account.name, pending, transactions: [] };
  },
};

/** Returns an absolute row number: zero or less counts back from the row after the newest. */
function rowOf(text: string, rowCount: number): bigint {
  const row = BigInt(text);
  return row > 0n ? row : BigInt(rowCount) + 1n + row;
}
