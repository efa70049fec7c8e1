/** Handlers of the wallet operations that read wallets and bank deposits. */
import { formatWireAmount } from '../../../../domain/amount.ts';
import { availableOf } from '../../../../exchange-accounts/ledger.ts';
import type { WalletRecord } from '../../api/wallet/operations/account-wallet-operations.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import type { Handlers } from '../core/handler.ts';
import { type Refusal, refuse } from '../core/refusal.ts';
import { fiatDepositRecordOf } from './fiat-deposits.ts';
import { inRange, pageOf, refusalOfRange } from './selection.ts';

type Names = 'listWallets' | 'getWallet' | 'listFiatDeposits';

export const walletHandlers: Pick<Handlers, Names> = {
  listWallets: (page, { exchange, user }) => {
    const accounts = [...exchange.state.accounts.values()].filter(
      (account) => account.userId === user().id,
    );
    return { wallets: pageOf(accounts, page).map((account) => walletRecordOf(account, user())) };
  },

  getWallet: ({ walletId }, { exchange, user }) => {
    const wallet = walletOf(exchange, user(), walletId);
    return 'code' in wallet ? wallet : walletRecordOf(wallet, user());
  },

  listFiatDeposits: (query, { exchange, user }) => {
    const refusal = refusalOfRange(query);
    if (refusal !== undefined) return refusal;
    const own = exchange.state.wallet.fiatDeposits.filter(({ userId }) => userId === user().id);
    const newestFirst = inRange(own, query, ({ createdMs }) => createdMs).toReversed();
    return { deposits: pageOf(newestFirst, query).map(fiatDepositRecordOf) };
  },
};

/** Returns a wallet of this user, or a refusal if it does not exist or belongs to another user. */
export function walletOf(exchange: Exchange, user: User, walletId: string): Account | Refusal {
  const account = exchange.state.accounts.get(walletId);
  return account?.userId === user.id ? account : refuse('ErrNotFound', 'Wallet not found');
}

export function walletRecordOf(account: Account, user: User): WalletRecord {
  return {
    id: account.id,
    name: account.name,
    currency: account.currency,
    balance: formatWireAmount(account.balance),
    available: formatWireAmount(availableOf(account)),
    isDefault: user.accountIds.get(account.currency) === account.id,
  };
}
