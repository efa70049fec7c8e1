/** An account of a user of the simulated exchange. Its available balance is never negative. */
import type { LedgerAccount } from '../../../../exchange-accounts/ledger.ts';
import type { AccountType } from '../../api/account-types.ts';

export type Account = LedgerAccount & {
  readonly userId: string;
  readonly type: AccountType;
  name: string;
};
