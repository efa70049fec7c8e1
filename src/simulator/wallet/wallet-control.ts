/** What an operator of the simulated exchange can do to the wallet interface. */
import type { DepositStatus } from '../../exchange-api/wallet/scalars.ts';
import type { Exchange } from '../core/exchange.ts';
import { delegationKeyOf } from '../core/wallet-state.ts';
import { addFiatDeposit, type NewFiatDeposit, setFiatDepositStatus } from './fiat-deposits.ts';

export type WalletControl =
  /** The key may act for the owner with these permission bits, as far as it has them itself. */
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

/** Does what an operator asks. Throws InvariantError if it names something that does not exist. */
export function obeyWalletControl(exchange: Exchange, control: WalletControl): void {
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
