/** Handlers of balance, transactions and pending transactions. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { rowsBetween } from '../../../../exchange-accounts/ledger.ts';
import { askedRowsOf } from '../core/account-lists.ts';
import type { Handlers } from '../core/handler.ts';
import { balanceRecordOf, transactionEntriesOf } from '../core/ledger-records.ts';
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
        ...balanceRecordOf(account),
        account_type: account.type,
        unconfirmed: formatWireAmount(unconfirmedOf(exchange, account)),
        name: account.name,
      })),
    };
  },

  transactions: ({ id, ...asked }, { exchange, user }) => {
    const account = exchange.state.accounts.get(id);
    if (account === undefined || account.userId !== user().id)
      return refuse('ErrAccountNotFound', 'Account not found');
    const range = askedRowsOf(account, asked);
    if (range.kind === 'refused') return range;
    const rows = rowsBetween(account, range.first, range.end);
    const marketOf = (pair: string) => exchange.marketOf(pair).market;
    return { id, transactions: transactionEntriesOf(account, rows, marketOf) };
  },

  listPending: ({ id }, { exchange, user }) => {
    const account = exchange.state.accounts.get(id);
    if (account === undefined || account.userId !== user().id)
      return refuse('ErrAccountNotFound', 'Account not found');
    const pending = pendingEntriesOf(exchange, account);
    return { id, currency: account.currency, name: account.name, pending, transactions: [] };
  },
};
