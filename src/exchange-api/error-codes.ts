/**
 * Every error code of both documents, and those seen on the wire, as data.
 *
 * `status` is the HTTP status that our simulator gives; the documents show only those of 401, 403,
 * 404, 409 and 429, so a client classifies by the code first. `effect` is what the code proves
 * about an order that was sent: only `rejected`, `market-closed` and `post-only-cancelled` prove
 * that this attempt made no resting order. A code that is not in this table proves nothing.
 */
import { exchangeErrors, factErrors, sharedErrors, walletErrors } from './error-meanings.ts';

/** What an answer with this code proves about the order request that it answers. */
export type ErrorEffect =
  | 'rejected' // This attempt made no order.
  | 'market-closed' // This attempt made no order; the pair takes none for now.
  | 'post-only-cancelled' // The order was cancelled before trading; its id may be used up.
  | 'exists' // An order with this id exists already.
  | 'throttled' // Refused for the call rate, before or after anything happened.
  | 'fatal' // The key cannot do this; every further request will fail too.
  | 'ambiguous'; // Nothing is proven: look the order up.

/**
 * How the simulator comes to answer with it. `operation`: some request alone causes it. `control`: a
 * state of the world causes it, which its operator must set first. `none`: only the operator's
 * `fail-next`, since no operation of ours can get there.
 */
export type ErrorCause = 'operation' | 'control' | 'none';

export type ErrorDeclaration = {
  readonly status: number;
  readonly effect: ErrorEffect;
  readonly meaning: string;
  /** Where it is written; `facts`: in neither document. */
  readonly documents: readonly ('exchange' | 'wallet' | 'facts')[];
  readonly cause: ErrorCause;
};

const meanings = { ...exchangeErrors, ...walletErrors, ...factErrors };
export type ErrorCode = keyof typeof meanings;

/** All others are answered with 400. */
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

/** All others are `ambiguous`. */
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

/** All others are caused by a request alone. */
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

/** Returns the declaration of `code`, or undefined for a code that is not documented. */
export function errorDeclarationOf(code: string): ErrorDeclaration | undefined {
  return Object.hasOwn(errorCodes, code) ? errorCodes[code as ErrorCode] : undefined;
}

/** Error codes of the streams: lower case, in a text frame, followed by a close with code 1000. */
export const streamErrorCodes = {
  auth_timeout: 'no credentials came within 10 seconds',
  invalid_credentials: 'the first frame was no credentials message, or its key is unknown',
  invalid_market: 'no such pair',
  session_limit_exceeded: 'more than 50 sessions at a time',
} as const;
export type StreamErrorCode = keyof typeof streamErrorCodes;
