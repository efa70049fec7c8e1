/** Opens and renames accounts. */

import { type Calls, change } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';
import { refusalOf } from '../core/restrictions.ts';
import { mayOpenAccount, ownAccount } from './account-access.ts';

export const accountCalls: Pick<Calls, 'createAccount' | 'renameAccount'> = {
  createAccount: ({ currency, name, account_type: type = 'TRANSACTIONAL' }, context) => {
    const { exchange, user } = context;
    const { state } = exchange;
    const refusal = refusalOf(state, 'unverified-currency', `${user.id}/${currency}`);
    if (refusal !== undefined) return refusal;
    if (!mayOpenAccount(exchange, user, currency))
      return refuse(
        'ErrAccountLimit',
        `At most ${state.limits.accountsPerCurrencyMax} accounts of a currency`,
      );
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
