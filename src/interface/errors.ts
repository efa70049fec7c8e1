/**
 * Every error code that the exchange answers with, as data.
 *
 * `status` is the HTTP status that our simulator gives; the documents show only those of 401, 403,
 * 404, 409 and 429, so a client classifies by the code first. `effect` is what the code proves
 * about an order that was sent: only `rejected`, `market-closed` and `post-only-cancelled` prove
 * that this attempt made no resting order. A code that is not in this table proves nothing.
 */

/** What an answer with this code proves about the order request that it answers. */
export type ErrorEffect =
  | 'rejected' // This attempt made no order.
  | 'market-closed' // This attempt made no order; the pair takes none for now.
  | 'post-only-cancelled' // The order was cancelled before trading; its id may be used up.
  | 'exists' // An order with this id exists already.
  | 'throttled' // Refused for the call rate, before or after anything happened.
  | 'fatal' // The key cannot do this; every further request will fail too.
  | 'ambiguous'; // Nothing is proven: look the order up.

export type ErrorDeclaration = {
  readonly status: number;
  readonly effect: ErrorEffect;
  readonly meaning: string;
};

export const errorCodes = {
  ErrAPIKeyNotFound: { status: 401, effect: 'fatal', meaning: 'API key not found' },
  ErrAccountIsMigrating: {
    status: 400,
    effect: 'market-closed',
    meaning: 'account migration in progress',
  },
  ErrAccountLimit: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'cannot add another account of this currency',
  },
  ErrAccountNotFound: { status: 404, effect: 'rejected', meaning: 'account not found' },
  ErrAccountRowLimit: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'account row count exceeds limit',
  },
  ErrAccountsNotDifferent: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'debit and credit accounts must differ',
  },
  ErrActiveCryptoRequestExists: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'a send is pending, retry after completion',
  },
  ErrAddressCreateRateLimitReached: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'receive-address creation rate limit reached',
  },
  ErrAddressLimitReached: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'receive address limit reached',
  },
  ErrAmountTooBig: { status: 400, effect: 'ambiguous', meaning: 'amount above maximum' },
  ErrAmountTooSmall: { status: 400, effect: 'ambiguous', meaning: 'amount below minimum' },
  ErrApiKeyRevoked: { status: 401, effect: 'fatal', meaning: 'key revoked' },
  ErrBeneficiaryNotFound: { status: 404, effect: 'ambiguous', meaning: 'beneficiary not found' },
  ErrBeneficiaryScreeningRejected: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'withdrawal cannot be completed',
  },
  ErrBlockedSendsCurrency: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'receives disabled for this currency',
  },
  ErrCannotStopUnknownOrNonPendingOrder: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'cannot stop an unknown or non-pending order',
  },
  ErrCannotTradeWhileQuoteActive: {
    status: 400,
    effect: 'market-closed',
    meaning: 'trading blocked while a quote is active',
  },
  ErrClusterUnavailable: { status: 503, effect: 'ambiguous', meaning: 'temporarily unavailable' },
  ErrConvertPairNotSupported: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'pair not supported for conversion',
  },
  ErrConvertRateLimited: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'conversion rate limit for the pair exceeded',
  },
  ErrCounterDenominationNotAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'too many decimal places in amount',
  },
  ErrCreditAccountTypeNotSupported: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'account type unsupported for credit',
  },
  ErrCrossAccountTypeTradeNotAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'trade between different wallet types not allowed',
  },
  ErrCustomRefNotAllowed: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'custom reference not allowed',
  },
  ErrDeadlineExceeded: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'not completed before the deadline',
  },
  ErrDebitAccountTypeNotSupported: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'account type unsupported for debit',
  },
  ErrDescriptionTooLong: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'transaction reference over 256 characters',
  },
  ErrDifferentCurrencies: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'debit and credit accounts have different currencies',
  },
  ErrDisallowedTarget: { status: 400, effect: 'ambiguous', meaning: 'address not allowed' },
  ErrDuplicateClientMoveID: {
    status: 409,
    effect: 'ambiguous',
    meaning: 'duplicate client move id',
  },
  ErrDuplicateClientOrderID: {
    status: 409,
    effect: 'exists',
    meaning: 'duplicate client order id',
  },
  ErrDuplicateExternalID: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'a withdrawal with this external id exists',
  },
  ErrERC20AddressAlreadyAssigned: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'only one ERC-20 receive address per token',
  },
  ErrERC20NonTransactionalAccount: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'ERC-20 receive addresses only on transactional accounts',
  },
  ErrFundsMoveNotFound: { status: 404, effect: 'ambiguous', meaning: 'funds move not found' },
  ErrIdempotencyKeyConflict: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'idempotency key already processed',
  },
  ErrIdempotencyKeyRequestMismatch: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'idempotency key reused with a different request',
  },
  ErrIncompatibleBeneficiary: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'beneficiary incompatible with the withdrawal',
  },
  ErrIncorrectPin: { status: 400, effect: 'ambiguous', meaning: 'invalid pin' },
  ErrInsufficientBalance: { status: 400, effect: 'rejected', meaning: 'insufficient balance' },
  ErrInsufficientFunds: {
    status: 400,
    effect: 'rejected',
    meaning: 'account has insufficient funds',
  },
  ErrInsufficientPerms: { status: 403, effect: 'fatal', meaning: 'missing permissions' },
  ErrInternal: { status: 500, effect: 'ambiguous', meaning: 'internal failure' },
  ErrInvalidAccount: { status: 400, effect: 'rejected', meaning: 'account invalid' },
  ErrInvalidAccountID: { status: 400, effect: 'rejected', meaning: 'invalid account id' },
  ErrInvalidAccountNumber: { status: 400, effect: 'ambiguous', meaning: 'account number invalid' },
  ErrInvalidAccountType: { status: 400, effect: 'ambiguous', meaning: 'account type invalid' },
  ErrInvalidAmount: { status: 400, effect: 'ambiguous', meaning: 'invalid amount' },
  ErrInvalidArguments: {
    status: 400,
    effect: 'rejected',
    meaning: 'a parameter has an invalid value; the offending fields are listed',
  },
  ErrInvalidBaseVolume: {
    status: 400,
    effect: 'rejected',
    meaning: 'invalid base volume for a sell',
  },
  ErrInvalidBranchCode: { status: 400, effect: 'ambiguous', meaning: 'bank branch code invalid' },
  ErrInvalidClientOrderId: { status: 400, effect: 'rejected', meaning: 'invalid client order id' },
  ErrInvalidCounterVolume: {
    status: 400,
    effect: 'rejected',
    meaning: 'invalid counter volume for a buy',
  },
  ErrInvalidCurrency: { status: 400, effect: 'ambiguous', meaning: 'invalid currency' },
  ErrInvalidCursor: { status: 400, effect: 'ambiguous', meaning: 'invalid cursor' },
  ErrInvalidDetails: { status: 400, effect: 'ambiguous', meaning: 'bank account details invalid' },
  ErrInvalidMarketPair: { status: 400, effect: 'rejected', meaning: 'market pair invalid' },
  ErrInvalidOrderRef: { status: 400, effect: 'ambiguous', meaning: 'order reference invalid' },
  ErrInvalidOrderSide: { status: 400, effect: 'rejected', meaning: 'order side invalid' },
  ErrInvalidParameters: { status: 400, effect: 'rejected', meaning: 'invalid parameters' },
  ErrInvalidPrice: { status: 400, effect: 'rejected', meaning: 'invalid order price' },
  ErrInvalidRequestType: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'invalid withdrawal request type',
  },
  ErrInvalidSourceAccount: { status: 400, effect: 'ambiguous', meaning: 'invalid source account' },
  ErrInvalidStopDirection: { status: 400, effect: 'rejected', meaning: 'stop direction invalid' },
  ErrInvalidStopPrice: { status: 400, effect: 'rejected', meaning: 'invalid stop price' },
  ErrInvalidValue: { status: 400, effect: 'rejected', meaning: 'a value is not a plain number' },
  ErrInvalidVolume: { status: 400, effect: 'rejected', meaning: 'invalid order volume' },
  ErrInvalidWalletType: { status: 400, effect: 'ambiguous', meaning: 'invalid wallet type' },
  ErrLeverageRequiresSpotMarginWallet: {
    status: 400,
    effect: 'rejected',
    meaning: 'leverage needs spot margin accounts',
  },
  ErrLimitOutOfRange: { status: 400, effect: 'ambiguous', meaning: 'list limit out of range' },
  ErrMarginAssetNotFound: { status: 400, effect: 'ambiguous', meaning: 'margin asset not found' },
  ErrMarginServiceUnavailable: {
    status: 503,
    effect: 'ambiguous',
    meaning: 'margin service unavailable',
  },
  ErrMarginValuationMissing: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'no margin account summary yet',
  },
  ErrMarketNotAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'market not enabled for the user',
  },
  ErrMarketUnavailable: { status: 400, effect: 'market-closed', meaning: 'market not available' },
  ErrMaxActiveFiatRequestsExists: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'too many withdrawals in progress',
  },
  ErrMissingAutoRepay: { status: 400, effect: 'rejected', meaning: 'auto_repay is required' },
  ErrMissingIdempotencyKey: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'idempotency_key is required',
  },
  ErrNoAddressesAssigned: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'no funding addresses linked to the default account',
  },
  ErrNoTradesToInferStopDirection: {
    status: 400,
    effect: 'rejected',
    meaning: 'no trades to infer a stop direction',
  },
  ErrNotEnoughLiquidity: {
    status: 400,
    effect: 'rejected',
    meaning: 'market order would vary too much from the market rate; use a limit order',
  },
  ErrNotFound: { status: 404, effect: 'ambiguous', meaning: 'no result found' },
  ErrOnlySpotWalletsAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'only trading wallets allowed for this market',
  },
  ErrOpenSpotMarginLoan: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'account has an open spot margin loan',
  },
  ErrOrderCanceled: {
    status: 400,
    effect: 'post-only-cancelled',
    meaning: 'post-only order cancelled before trading',
  },
  ErrOrderNotFound: { status: 404, effect: 'ambiguous', meaning: 'order not found' },
  ErrPostOnlyMode: { status: 400, effect: 'market-closed', meaning: 'market is in post-only mode' },
  ErrPostOnlyNotAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'IOC and FOK cannot be post-only',
  },
  ErrPriceDenominationNotAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'too many decimal places in price',
  },
  ErrPriceTooHigh: { status: 400, effect: 'rejected', meaning: 'price above maximum' },
  ErrPriceTooLow: { status: 400, effect: 'rejected', meaning: 'price below minimum' },
  ErrRejectedBeneficiary: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'cannot withdraw to a rejected beneficiary',
  },
  ErrRequestTypeDoesNotSupportFastWithdrawals: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'request type has no fast withdrawals',
  },
  ErrSpotMarginNotEnabled: { status: 400, effect: 'rejected', meaning: 'spot margin not enabled' },
  ErrSpotMarginNotSupportedForInstrument: {
    status: 400,
    effect: 'rejected',
    meaning: 'spot margin unsupported for the market',
  },
  ErrSpotMarginWalletRequiresLeverage: {
    status: 400,
    effect: 'rejected',
    meaning: 'spot margin accounts require leverage',
  },
  ErrStopPriceTooHigh: { status: 400, effect: 'rejected', meaning: 'stop price too high' },
  ErrStopPriceTooLow: { status: 400, effect: 'rejected', meaning: 'stop price too low' },
  ErrTooManyRequests: { status: 429, effect: 'throttled', meaning: 'request rate exceeded' },
  ErrTooManyRowsRequested: { status: 400, effect: 'ambiguous', meaning: 'too many rows requested' },
  ErrTravelRule: {
    status: 400,
    effect: 'ambiguous',
    meaning:
      'first make a crypto send to this address with travel-rule information in the app or website',
  },
  ErrUnauthorised: { status: 401, effect: 'fatal', meaning: 'not authorised for the route' },
  ErrUnderMaintenance: {
    status: 503,
    effect: 'market-closed',
    meaning: 'market under maintenance',
  },
  ErrUnsupportedWalletType: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'deposit addresses only for transactional wallets',
  },
  ErrUpdateRequired: { status: 400, effect: 'fatal', meaning: 'client app update required' },
  ErrUserBlockedForCancelWithdrawal: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'user blocked from cancelling withdrawals',
  },
  ErrUserNotVerifiedForCurrency: {
    status: 400,
    effect: 'rejected',
    meaning: 'user not verified for the currency',
  },
  ErrValueTooHigh: { status: 400, effect: 'rejected', meaning: 'order value too high' },
  ErrVerificationLevelTooLow: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'identity verification required before sending crypto',
  },
  ErrVolumeDenominationNotAllowed: {
    status: 400,
    effect: 'rejected',
    meaning: 'too many decimal places in volume',
  },
  ErrVolumeTooHigh: { status: 400, effect: 'rejected', meaning: 'volume above maximum' },
  ErrVolumeTooLow: { status: 400, effect: 'rejected', meaning: 'volume below minimum' },
  ErrWithdrawalBlocked: {
    status: 400,
    effect: 'ambiguous',
    meaning: 'withdrawal limit reached; more profile information needed',
  },
  ErrWithdrawalNotFound: { status: 404, effect: 'ambiguous', meaning: 'withdrawal not found' },
} as const satisfies Record<string, ErrorDeclaration>;

export type ErrorCode = keyof typeof errorCodes;

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
