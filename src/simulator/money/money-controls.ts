/** What an operator of the simulated exchange can do to money, accounts and users. */

import type { Exchange } from '../core/exchange.ts';
import { moneyToChange } from '../core/money-state.ts';
import { type Restriction, setRestriction } from '../core/restrictions.ts';
import { dropArrivals, startArrival } from './arrivals.ts';
import { setEmail } from './sends.ts';

export type MoneyControl =
  /** Sets a state of the world, or lifts it; restrictions.ts says what the subject is. */
  | {
      readonly kind: 'restrict';
      readonly restriction: Restriction;
      readonly subject: string;
      readonly isSet: boolean;
    }
  /** Lets crypto money arrive at a receive address: pending first, confirmed after a while. */
  | {
      readonly kind: 'crypto-deposit';
      readonly address: string;
      readonly amount: string;
      /** Held until the originator is given by validate address. */
      readonly isQuarantined?: boolean;
    }
  /** Lets all money that is on its way to the address disappear. */
  | { readonly kind: 'drop-crypto-deposits'; readonly address: string }
  /** Gives a user an e-mail address, which sends can go to; invitations to it are taken up. */
  | { readonly kind: 'set-email'; readonly userId: string; readonly email: string }
  | {
      readonly kind: 'link-user';
      readonly userId: string;
      /** A 64-bit integer. */
      readonly linkedUserId: string;
      readonly label: string;
      readonly permissions: readonly string[];
    }
  /** Lets a legacy application, a user here, trade a code for a key. */
  | {
      readonly kind: 'offer-grant';
      readonly clientUserId: string;
      readonly code: string;
      readonly keyId: string;
      readonly secret: string;
      readonly userId: string;
      readonly permissions: number;
    };

/** Does what an operator asks. Throws InvariantError if it names something that does not exist. */
export function obeyMoneyControl(exchange: Exchange, control: MoneyControl): void {
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
      moneyToChange(state.money, exchange.userOf(control.userId).id).linkedUsers.push({
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
