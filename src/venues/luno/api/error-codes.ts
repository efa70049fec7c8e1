/**
 * Every error code of both documents, and those seen on the wire.
 *
 * `status` is the HTTP status that our simulator sends. The documents give only 401, 403, 404, 409
 * and 429, so a client classifies by the code first. `effect` is what the code proves about an
 * order request: only `rejected`, `market-closed` and `post-only-cancelled` prove that the attempt
 * left no resting order. An unknown code proves nothing.
 */
import { exchangeErrors, factErrors, sharedErrors, walletErrors } from './error-meanings.ts';

/** What an answer with this code proves about its order request. */
export type ErrorEffect =
  | 'rejected' // The attempt created no order.
  | 'market-closed' // The attempt created no order; the pair accepts no orders for now.
  | 'post-only-cancelled' // The order was cancelled before trading; its id may be taken.
  | 'exists' // An order with this id already exists.
  | 'throttled' // Refused for the call rate; something may have happened before.
  | 'fatal' // The key cannot do this; further requests will fail, too.
  | 'ambiguous'; // Proves nothing: look up the order.

/**
 * How the simulator can be made to send the code. `operation`: by a request alone. `control`: after
 * the simulator's operator has set a state. `none`: only by the operator's `fail-next`.
 */
export type ErrorCause = 'operation' | 'control' | 'none';

export type ErrorDeclaration = {
  readonly status: number;
  readonly effect: ErrorEffect;
  readonly meaning: string;
  /** The documents that list it; `facts`: neither. */
  readonly documents: readonly ('exchange' | 'wallet' | 'facts')[];
  readonly cause: ErrorCause;
};

const meanings = { ...exchangeErrors, ...walletErrors, ...factErrors };
export type ErrorCode = keyof typeof meanings;

/** All other codes have status 400. */
const statuses: Readonly<Record<number, readonly ErrorCode[]>> = {
  401: [
    'ErrAPIKeyNotFound',
    'ErrApiKeyRevoked',
    'ErrIncorrectHMACSignature',
    'ErrInvalidAPIKey',
    'ErrInvalidAuth',
    'ErrUnauthorised',
  ],
  403: [
    'ErrBlocked',
    'ErrInsufficientPermissions',
    'ErrInsufficientPerms',
    'ErrSvcLabsNotEnabled',
    'ErrUnauthorized',
  ],
  404: [
    'ErrAccountNotFound',
    'ErrBeneficiaryNotFound',
    'ErrFundsMoveNotFound',
    'ErrNotFound',
    'ErrOrderNotFound',
    'ErrResourceNotFound',
    'ErrWithdrawalNotFound',
  ],
  409: ['ErrDuplicateClientMoveID', 'ErrDuplicateClientOrderID', 'ErrDuplicateSend'],
  429: [
    'ErrAddressCreateRateLimitReached',
    'ErrConvertRateLimited',
    'ErrRateLimitExceeded',
    'ErrTooManyRequests',
  ],
  500: ['ErrInternal', 'ErrInternalServer'],
  501: ['ErrNotImplemented'],
  503: ['ErrClusterUnavailable', 'ErrMarginServiceUnavailable', 'ErrUnderMaintenance'],
};

/** All other codes are `ambiguous`. */
const effects: Readonly<Record<Exclude<ErrorEffect, 'ambiguous'>, readonly ErrorCode[]>> = {
  rejected: [
    'ErrAccountNotFound',
    'ErrCounterDenominationNotAllowed',
    'ErrCrossAccountTypeTradeNotAllowed',
    'ErrInsufficientBalance',
    'ErrInsufficientFunds',
    'ErrInvalidAccount',
    'ErrInvalidAccountID',
    'ErrInvalidArguments',
    'ErrInvalidBaseVolume',
    'ErrInvalidClientOrderId',
    'ErrInvalidCounterVolume',
    'ErrInvalidMarketPair',
    'ErrInvalidOrderSide',
    'ErrInvalidParameters',
    'ErrInvalidPrice',
    'ErrInvalidStopDirection',
    'ErrInvalidStopPrice',
    'ErrInvalidValue',
    'ErrInvalidVolume',
    'ErrLeverageRequiresSpotMarginWallet',
    'ErrMarketNotAllowed',
    'ErrMissingAutoRepay',
    'ErrNoTradesToInferStopDirection',
    'ErrNotEnoughLiquidity',
    'ErrOnlySpotWalletsAllowed',
    'ErrPostOnlyNotAllowed',
    'ErrPriceDenominationNotAllowed',
    'ErrPriceTooHigh',
    'ErrPriceTooLow',
    'ErrSpotMarginNotEnabled',
    'ErrSpotMarginNotSupportedForInstrument',
    'ErrSpotMarginWalletRequiresLeverage',
    'ErrStopPriceTooHigh',
    'ErrStopPriceTooLow',
    'ErrUserNotVerifiedForCurrency',
    'ErrValueTooHigh',
    'ErrVolumeDenominationNotAllowed',
    'ErrVolumeTooHigh',
    'ErrVolumeTooLow',
  ],
  'market-closed': [
    'ErrAccountIsMigrating',
    'ErrCannotTradeWhileQuoteActive',
    'ErrMarketUnavailable',
    'ErrPostOnlyMode',
    'ErrUnderMaintenance',
  ],
  'post-only-cancelled': ['ErrOrderCanceled'],
  exists: ['ErrDuplicateClientOrderID'],
  throttled: ['ErrRateLimitExceeded', 'ErrTooManyRequests'],
  fatal: [
    'ErrAPIKeyNotFound',
    'ErrApiKeyRevoked',
    'ErrIncorrectHMACSignature',
    'ErrInsufficientPermissions',
    'ErrInsufficientPerms',
    'ErrInvalidAPIKey',
    'ErrInvalidAuth',
    'ErrSvcLabsNotEnabled',
    'ErrUnauthorised',
    'ErrUnauthorized',
    'ErrUpdateRequired',
  ],
};

/** All other codes have cause `operation`. */
const causes: Readonly<Record<Exclude<ErrorCause, 'operation'>, readonly ErrorCode[]>> = {
  control: [
    'ErrAccountIsMigrating',
    'ErrApiKeyRevoked',
    'ErrBeneficiaryScreeningRejected',
    'ErrBlocked',
    'ErrBlockedSendsCurrency',
    'ErrConvertRateLimited',
    'ErrCustomRefNotAllowed',
    'ErrDisallowedTarget',
    'ErrLeverageRequiresSpotMarginWallet',
    'ErrMarketNotAllowed',
    'ErrNotInAddressBook',
    'ErrOnlySpotWalletsAllowed',
    'ErrPostOnlyMode',
    'ErrReceivesDisabled',
    'ErrRejectedBeneficiary',
    'ErrSpotMarginNotSupportedForInstrument',
    'ErrSpotMarginWalletRequiresLeverage',
    'ErrSvcLabsNotEnabled',
    'ErrTravelRule',
    'ErrUnderMaintenance',
    'ErrUserBlockedForCancelWithdrawal',
    'ErrUserNotVerifiedForCurrency',
    'ErrVerificationLevelTooLow',
    'ErrWithdrawalBlocked',
  ],
  none: [
    'ErrAccountRowLimit',
    'ErrClusterUnavailable',
    'ErrCreditAccountNotTransactional',
    'ErrDebitAccountNotTransactional',
    'ErrERC20AssignNonDefault',
    'ErrIncorrectPin',
    'ErrInternal',
    'ErrInternalServer',
    'ErrInvalidAccount',
    'ErrInvalidCursor',
    'ErrInvalidMarketVolume',
    'ErrMarginAssetNotFound',
    'ErrMarginServiceUnavailable',
    'ErrMarginValuationMissing',
    'ErrMissingAutoRepay',
    'ErrNotImplemented',
    'ErrOpenSpotMarginLoan',
    'ErrUpdateRequired',
  ],
};

const codes = Object.keys(meanings) as ErrorCode[];

export const errorCodes: Readonly<Record<ErrorCode, ErrorDeclaration>> = Object.fromEntries(
  codes.map((code) => [code, declarationOf(code)]),
) as Record<ErrorCode, ErrorDeclaration>;

function declarationOf(code: ErrorCode): ErrorDeclaration {
  return {
    status: Number.parseInt(keyOf(statuses, code) ?? '400', 10),
    effect: (keyOf(effects, code) ?? 'ambiguous') as ErrorEffect,
    meaning: meanings[code],
    documents: documentsOf(code),
    cause: (keyOf(causes, code) ?? 'operation') as ErrorCause,
  };
}

function keyOf(
  table: Readonly<Record<string, readonly ErrorCode[]>>,
  code: ErrorCode,
): string | undefined {
  return Object.entries(table).find(([, members]) => members.includes(code))?.[0];
}

function documentsOf(code: ErrorCode): ErrorDeclaration['documents'] {
  if (Object.hasOwn(factErrors, code)) return ['facts'];
  if (Object.hasOwn(walletErrors, code)) return ['wallet'];
  const isShared = sharedErrors.some((shared) => shared === code);
  return isShared ? ['exchange', 'wallet'] : ['exchange'];
}

/** Returns the declaration of `code`, or undefined if it is unknown. */
export function errorDeclarationOf(code: string): ErrorDeclaration | undefined {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : undefined;
}

/** Error codes of the streams: sent in a text frame, followed by a close with code 1000. */
export const streamErrorCodes = {
  auth_timeout: 'no credentials came within 10 seconds',
  invalid_credentials: 'the first frame was no credentials message, or its key is unknown',
  invalid_market: 'no such pair',
  session_limit_exceeded: 'more than 50 sessions at a time',
} as const;
export type StreamErrorCode = keyof typeof streamErrorCodes;
