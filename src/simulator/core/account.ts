/** An account of a user of the simulated exchange. `available` is never below zero. */
import type { LedgerAccount } from '../../exchange-accounts/ledger.ts';
import type { AccountType } from '../../exchange-api/account-types.ts';

export type Account = LedgerAccount & {
  readonly userId: string;
  readonly type: AccountType;
  name: string;
};
