/** Operator commands for the wallet API. */
import type { DepositStatus } from '../../api/wallet/scalars.ts';
import type { Exchange } from '../core/exchange.ts';
import { delegationKeyOf } from '../core/wallet-state.ts';
import { addFiatDeposit, type NewFiatDeposit, setFiatDepositStatus } from './fiat-deposits.ts';

export type WalletControl =
  /** Lets the key act for the owner with those of these permission bits that the key itself has. */
  | {
      readonly kind: 'delegate';
      readonly keyId: string;
      readonly ownerUserId: string;
      /** 0 ends the delegation. */
      readonly permissions: number;
    }
  | ({ readonly kind: 'fiat-deposit' } & NewFiatDeposit)
  | {
      readonly kind: 'set-fiat-deposit-status';
      readonly depositId: string;
      readonly status: DepositStatus;
      readonly note?: string;
    };

/** Executes a command. Throws InvariantError if it names something that does not exist. */
export function applyWalletControl(exchange: Exchange, control: WalletControl): void {
  switch (control.kind) {
    case 'delegate': {
      const { delegations } = exchange.state.wallet;
      const key = delegationKeyOf(control.keyId, control.ownerUserId);
      if (control.permissions === 0) delegations.delete(key);
      else delegations.set(key, control.permissions);
      break;
    }
    case 'fiat-deposit':
      addFiatDeposit(exchange, control);
      break;
    case 'set-fiat-deposit-status':
      setFiatDepositStatus(exchange, control.depositId, control.status, control.note);
      break;
  }
}
