/** Finds the accounts that a call uses, and checks that they can be used. */
import { type Amount, formatWireAmount } from '../../../../domain/amount.ts';
import { availableOf } from '../../../../exchange-accounts/ledger.ts';
import type { Account } from '../core/account.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import type { CallContext } from '../core/plan.ts';
import { type Refusal, refuse } from '../core/refusal.ts';

type Found = { readonly kind: 'found'; readonly account: Account };

/** Returns an account of the caller. */
export function ownAccount({ exchange, user }: CallContext, id: string): Found | Refusal {
  const account = exchange.state.accounts.get(id);
  if (account === undefined || account.userId !== user.id)
    return refuse('ErrAccountNotFound', 'Account not found');
  return { kind: 'found', account };
}

/** Returns whether the user has fewer accounts of the currency than the limit. */
export function mayOpenAccount({ state }: Exchange, user: User, currency: string): boolean {
  let count = 0;
  for (const account of state.accounts.values())
    if (account.userId === user.id && account.currency === currency) count += 1;
  return count < state.limits.accountsPerCurrencyMax;
}

/** Returns the caller's account of a currency: the given one, or the default one. */
export function accountOfCurrency(
  context: CallContext,
  currency: string,
  given: string | undefined,
): Found | Refusal {
  const id = given ?? context.user.accountIds.get(currency);
  if (id === undefined) return refuse('ErrAccountNotFound', `No account of ${currency}`);
  const found = ownAccount(context, id);
  if (found.kind === 'refused' || found.account.currency === currency) return found;
  return refuse('ErrInvalidAccountID', `Account ${id} does not hold ${currency}`);
}

/** Returns why money cannot be moved between two accounts, or undefined if it can. */
export function accountTypeFault(debit: Account, credit: Account): Refusal | undefined {
  if (debit.id === credit.id)
    return refuse('ErrAccountsNotDifferent', 'Debit and credit accounts must differ');
  if (debit.type !== 'TRANSACTIONAL')
    return refuse('ErrDebitAccountTypeNotSupported', `Cannot debit a ${debit.type} account`);
  if (credit.type !== 'TRANSACTIONAL')
    return refuse('ErrCreditAccountTypeNotSupported', `Cannot credit a ${credit.type} account`);
  return undefined;
}

/** Returns whether the account can pay `needed`. */
export function canPay(account: Account, needed: Amount): boolean {
  return availableOf(account) >= needed;
}

/** Returns the message of a refusal because of insufficient balance. */
export function shortageMessage(account: Account, needed: Amount): string {
  return `Insufficient balance: ${formatWireAmount(needed)} ${account.currency} needed`;
}
