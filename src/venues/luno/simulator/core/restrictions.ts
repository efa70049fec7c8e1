/**
 * Restrictions that an operator of the simulated exchange sets, each for one subject, and the error
 * that each causes.
 */
import { type ErrorCode, errorCodes } from '../../api/error-codes.ts';
import type { ExchangeState } from './exchange-state.ts';
import { type Refusal, refuse } from './refusal.ts';

/** `subject` names the kind of subject. */
export const restrictions = {
  'unverified-currency': { code: 'ErrUserNotVerifiedForCurrency', subject: 'user/currency' },
  'low-verification': { code: 'ErrVerificationLevelTooLow', subject: 'user' },
  'travel-rule': { code: 'ErrTravelRule', subject: 'user' },
  'migrating-accounts': { code: 'ErrAccountIsMigrating', subject: 'user' },
  'blocked-currency': { code: 'ErrBlockedSendsCurrency', subject: 'currency' },
  'disallowed-target': { code: 'ErrDisallowedTarget', subject: 'address' },
  'conversion-rate': { code: 'ErrConvertRateLimited', subject: 'user' },
  'blocked-withdrawals': { code: 'ErrWithdrawalBlocked', subject: 'user' },
  'blocked-withdrawal-cancels': { code: 'ErrUserBlockedForCancelWithdrawal', subject: 'user' },
  'no-custom-references': { code: 'ErrCustomRefNotAllowed', subject: 'user' },
  'rejected-beneficiary': { code: 'ErrRejectedBeneficiary', subject: 'beneficiary' },
  'blocked-user': { code: 'ErrBlocked', subject: 'user' },
  'wallet-interface-off': { code: 'ErrSvcLabsNotEnabled', subject: 'user' },
  'wallet-interface-maintenance': { code: 'ErrUnderMaintenance', subject: 'all' },
  'address-book-only': { code: 'ErrNotInAddressBook', subject: 'user' },
  'forex-limit-exceeded': { code: 'ErrInvalidArguments', subject: 'user' },
  'screened-beneficiary': { code: 'ErrBeneficiaryScreeningRejected', subject: 'beneficiary' },
} as const satisfies Record<string, { readonly code: ErrorCode; readonly subject: string }>;

export type Restriction = keyof typeof restrictions;

/** Returns the refusal that a restriction causes for a subject, or undefined if it is not set. */
export function refusalOf(
  state: ExchangeState,
  restriction: Restriction,
  subject: string,
): Refusal | undefined {
  if (!state.restrictions.has(keyOf(restriction, subject))) return undefined;
  const { code } = restrictions[restriction];
  return refuse(code, errorCodes[code].meaning);
}

/** Sets a restriction for a subject, or lifts it. */
export function setRestriction(
  state: ExchangeState,
  restriction: Restriction,
  subject: string,
  isSet: boolean,
): void {
  if (isSet) state.restrictions.add(keyOf(restriction, subject));
  else state.restrictions.delete(keyOf(restriction, subject));
}

function keyOf(restriction: Restriction, subject: string): string {
  return `${restriction} ${subject}`;
}
