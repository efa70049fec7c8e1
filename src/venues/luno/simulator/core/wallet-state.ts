/** State that only the wallet API uses. Balances and ledgers belong to the exchange. */
import type { Amount } from '../../../../domain/amount.ts';
import type { DepositStatus } from '../../api/wallet/scalars.ts';

export type FiatDeposit = {
  readonly id: string;
  readonly userId: string;
  readonly walletId: string;
  readonly currency: string;
  readonly amount: Amount;
  readonly fee: Amount;
  readonly paymentId: string;
  readonly providerReference: string;
  readonly createdMs: number;
  status: DepositStatus;
  statusNote: string;
  /** Whether the wallet has been credited with the amount less the fee. */
  isCredited: boolean;
};

export type WalletState = {
  /** Permission bits that a key has for another user, by {@link delegationKeyOf}. */
  readonly delegations: Map<string, number>;
  /** In order of creation. */
  readonly fiatDeposits: FiatDeposit[];
};

export function createWalletState(): WalletState {
  return { delegations: new Map(), fiatDeposits: [] };
}

export function delegationKeyOf(keyId: string, ownerUserId: string): string {
  return `${keyId} ${ownerUserId}`;
}
