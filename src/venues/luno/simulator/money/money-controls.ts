/** Operator commands for money, accounts and users. */

import type { Exchange } from '../core/exchange.ts';
import { mutableMoneyOf } from '../core/money-state.ts';
import { type Restriction, setRestriction } from '../core/restrictions.ts';
import { dropArrivals, startArrival } from './arrivals.ts';
import { setEmail } from './sends.ts';

export type MoneyControl =
  /** Sets or lifts a restriction; restrictions.ts says what its subject is. */
  | {
      readonly kind: 'restrict';
      readonly restriction: Restriction;
      readonly subject: string;
      readonly isSet: boolean;
    }
  /** Starts a crypto deposit to a receive address: pending first, confirmed later. */
  | {
      readonly kind: 'crypto-deposit';
      readonly address: string;
      readonly amount: string;
      /** Held until the originator is named, see address-validation.ts. */
      readonly isQuarantined?: boolean;
    }
  /** Removes all unconfirmed deposits to the address. */
  | { readonly kind: 'drop-crypto-deposits'; readonly address: string }
  /**
   * Sets the e-mail address of a user. Sends can go to it, and open invitations to it are
   * completed.
   */
  | { readonly kind: 'set-email'; readonly userId: string; readonly email: string }
  | {
      readonly kind: 'link-user';
      readonly userId: string;
      /** A 64-bit integer. */
      readonly linkedUserId: string;
      readonly label: string;
      readonly permissions: readonly string[];
    }
  /** Lets a legacy application, represented by a user, exchange a code for a key. */
  | {
      readonly kind: 'offer-grant';
      readonly clientUserId: string;
      readonly code: string;
      readonly keyId: string;
      readonly secret: string;
      readonly userId: string;
      readonly permissions: number;
    };

/** Executes a command. Throws InvariantError if it names something that does not exist. */
export function applyMoneyControl(exchange: Exchange, control: MoneyControl): void {
  const { state } = exchange;
  switch (control.kind) {
    case 'restrict':
      setRestriction(state, control.restriction, control.subject, control.isSet);
      break;
    case 'crypto-deposit':
      startArrival(exchange, control);
      break;
    case 'drop-crypto-deposits':
      dropArrivals(exchange, control.address);
      break;
    case 'set-email':
      setEmail(exchange, control.userId, control.email);
      break;
    case 'link-user':
      mutableMoneyOf(state.money, exchange.userOf(control.userId).id).linkedUsers.push({
        userId: control.linkedUserId,
        label: control.label,
        permissions: control.permissions,
        linkedMs: exchange.timeMs,
      });
      break;
    case 'offer-grant':
      exchange.userOf(control.userId);
      state.money.grants.set(control.code, control);
      break;
  }
}
