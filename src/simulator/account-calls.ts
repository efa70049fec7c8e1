/** Opens and renames accounts. */
import { ownAccount } from './account-access.ts';
import { refuse } from './order-check.ts';
import { type Calls, change } from './plan.ts';
import { refusalOf } from './restrictions.ts';

export const accountCalls: Pick<Calls, 'createAccount' | 'renameAccount'> = {
  createAccount: ({ currency, name, account_type: type = 'TRANSACTIONAL' }, context) => {
    const { exchange, user } = context;
    const { state } = exchange;
    const refusal = refusalOf(state, 'unverified-currency', `${user.id}/${currency}`);
    if (refusal !== undefined) return refusal;
    const { accountsPerCurrencyMax } = state.limits;
    let count = 0;
    for (const account of state.accounts.values())
      if (account.userId === user.id && account.currency === currency) count += 1;
    if (count >= accountsPerCurrencyMax)
      return refuse('ErrAccountLimit', `At most ${accountsPerCurrencyMax} accounts of a currency`);
    return change(() => {
      const { id } = exchange.openAccount(user, { currency, name, type });
      return { currency, id, name };
    });
  },

  renameAccount: ({ id, name }, context) => {
    const found = ownAccount(context, id);
    if (found.kind === 'refused') return found;
    return change(() => {
      found.account.name = name;
      return { success: true };
    });
  },
};
