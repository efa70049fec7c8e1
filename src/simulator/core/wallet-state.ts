/** What only the wallet document's operations know of; money and ledgers are the exchange's. */
import type { Amount } from '../../domain/amount.ts';
import type { DepositStatus } from '../../exchange-api/wallet/scalars.ts';

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
  /** Whether the amount less the fee is in the wallet. */
  isCredited: boolean;
};

export type WalletState = {
  /** What a key may do for another user: permission bits by {@link delegationKeyOf}. */
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
