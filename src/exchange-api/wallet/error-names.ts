/**
 * Refusals of the wallet document.
 *
 *     {"errorCode":"ErrInsufficientBalance","message":"Insufficient balance"}
 *
 * It names many refusals differently from the exchange document. A rule of the exchange that is met
 * through a wallet operation answers with the wallet document's name; which name stands for which
 * is ours where neither document says.
 */

import type { ErrorCode } from '../error-codes.ts';
import { sharedErrors, walletErrors } from '../error-meanings.ts';

export type WalletErrorCode = keyof typeof walletErrors | (typeof sharedErrors)[number];

/** The 50 codes that the wallet document allows. */
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

/** Returns the wallet document's name for `code`; ErrInvalidRequest where none is closer. */
export function walletErrorCodeOf(code: ErrorCode): WalletErrorCode {
  if (known.has(code)) return code as WalletErrorCode;
  return walletNames[code] ?? 'ErrInvalidRequest';
}

/** Returns the body as the wallet document has it: these two members and no other. */
export function encodeWalletErrorBody(error: {
  readonly code: ErrorCode;
  readonly message: string;
}): object {
  return { errorCode: walletErrorCodeOf(error.code), message: error.message };
}
