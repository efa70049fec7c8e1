/**
 * Error bodies of the wallet document.
 *
 *     {"errorCode":"ErrInsufficientBalance","message":"Insufficient balance"}
 *
 * Many error codes have other names than in the exchange document. A wallet operation answers with
 * the wallet document's name. Where the documents do not match the names, the mapping is our own.
 */

import type { ErrorCode } from '../error-codes.ts';
import { sharedErrors, walletErrors } from '../error-meanings.ts';

export type WalletErrorCode = keyof typeof walletErrors | (typeof sharedErrors)[number];

/** The 50 codes of the wallet document. */
export const walletErrorCodes: readonly WalletErrorCode[] = [
  ...(Object.keys(walletErrors) as (keyof typeof walletErrors)[]),
  ...sharedErrors,
];

const walletNames: Readonly<Partial<Record<ErrorCode, WalletErrorCode>>> = {
  ErrAPIKeyNotFound: 'ErrInvalidAPIKey',
  ErrAccountNotFound: 'ErrNotFound',
  ErrAddressCreateRateLimitReached: 'ErrRateLimitExceeded',
  ErrBeneficiaryNotFound: 'ErrResourceNotFound',
  ErrBeneficiaryScreeningRejected: 'ErrBlocked',
  ErrBlockedSendsCurrency: 'ErrReceivesDisabled',
  ErrClusterUnavailable: 'ErrUnderMaintenance',
  ErrDescriptionTooLong: 'ErrInvalidArguments',
  ErrDisallowedTarget: 'ErrNotInAddressBook',
  ErrDuplicateExternalID: 'ErrDuplicateSend',
  ErrFundsMoveNotFound: 'ErrResourceNotFound',
  ErrInsufficientFunds: 'ErrInsufficientBalance',
  ErrInsufficientPerms: 'ErrInsufficientPermissions',
  ErrInternal: 'ErrInternalServer',
  ErrInvalidAccountID: 'ErrInvalidIdFormat',
  ErrInvalidAccountNumber: 'ErrInvalidArguments',
  ErrInvalidAmount: 'ErrInvalidArguments',
  ErrInvalidBranchCode: 'ErrBankNotFound',
  ErrInvalidDetails: 'ErrBankNotFound',
  ErrInvalidCurrency: 'ErrInvalidArguments',
  ErrInvalidRequestType: 'ErrInvalidArguments',
  ErrInvalidValue: 'ErrInvalidArguments',
  ErrMaxActiveFiatRequestsExists: 'ErrMaxActiveRequests',
  ErrTooManyRequests: 'ErrRateLimitExceeded',
  ErrUnauthorised: 'ErrUnauthorized',
  ErrUserBlockedForCancelWithdrawal: 'ErrBlocked',
  ErrVerificationLevelTooLow: 'ErrUserNotVerifiedForCurrency',
  ErrWithdrawalBlocked: 'ErrBlocked',
  ErrWithdrawalNotFound: 'ErrResourceNotFound',
};

const known: ReadonlySet<string> = new Set(walletErrorCodes);

/** Returns the wallet document's name for `code`; ErrInvalidRequest if no name fits better. */
export function walletErrorCodeOf(code: ErrorCode): WalletErrorCode {
  if (known.has(code)) return code as WalletErrorCode;
  return walletNames[code] ?? 'ErrInvalidRequest';
}

/** Returns the error body of the wallet document, with exactly these two members. */
export function encodeWalletErrorBody(error: {
  readonly code: ErrorCode;
  readonly message: string;
}): object {
  return { errorCode: walletErrorCodeOf(error.code), message: error.message };
}
