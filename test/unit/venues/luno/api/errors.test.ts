/** The error codes, compared with a list of those that prove that an order was not created. */
import { expect, test } from 'vitest';
import { decodeErrorBody, encodeErrorBody } from '../../../../../src/venues/luno/api/error-body.ts';
import { type ErrorEffect, errorCodes } from '../../../../../src/venues/luno/api/error-codes.ts';
import { isPermitted } from '../../../../../src/venues/luno/api/permissions.ts';

// Written from the reliability table of order creation; a code that is not here is ambiguous.
const proofs: Readonly<Record<Exclude<ErrorEffect, 'ambiguous'>, string>> = {
  rejected: `
    ErrInvalidArguments ErrInvalidParameters ErrInvalidMarketPair ErrInvalidPrice
    ErrInvalidVolume ErrInvalidBaseVolume ErrInvalidCounterVolume ErrInvalidOrderSide
    ErrInvalidStopDirection ErrInvalidStopPrice ErrInvalidClientOrderId ErrInvalidAccount
    ErrInvalidAccountID ErrAccountNotFound ErrPriceDenominationNotAllowed
    ErrVolumeDenominationNotAllowed ErrCounterDenominationNotAllowed ErrPriceTooHigh
    ErrPriceTooLow ErrVolumeTooHigh ErrVolumeTooLow ErrValueTooHigh ErrStopPriceTooHigh
    ErrStopPriceTooLow ErrNoTradesToInferStopDirection ErrPostOnlyNotAllowed
    ErrNotEnoughLiquidity ErrInsufficientBalance ErrInsufficientFunds
    ErrCrossAccountTypeTradeNotAllowed ErrOnlySpotWalletsAllowed ErrSpotMarginNotEnabled
    ErrSpotMarginNotSupportedForInstrument ErrSpotMarginWalletRequiresLeverage
    ErrLeverageRequiresSpotMarginWallet ErrMissingAutoRepay ErrMarketNotAllowed
    ErrUserNotVerifiedForCurrency ErrInvalidValue`,
  'market-closed': `ErrPostOnlyMode ErrMarketUnavailable ErrUnderMaintenance
    ErrCannotTradeWhileQuoteActive ErrAccountIsMigrating`,
  'post-only-cancelled': 'ErrOrderCanceled',
  exists: 'ErrDuplicateClientOrderID',
  throttled: 'ErrTooManyRequests ErrRateLimitExceeded',
  fatal:
    'ErrApiKeyRevoked ErrUnauthorised ErrInsufficientPerms ErrUpdateRequired ErrAPIKeyNotFound ' +
    'ErrInvalidAPIKey ErrInvalidAuth ErrIncorrectHMACSignature ErrInsufficientPermissions ' +
    'ErrSvcLabsNotEnabled ErrUnauthorized',
};

test.each(Object.entries(proofs))('exactly the listed codes mean %s', (effect, codes) => {
  const declared = Object.entries(errorCodes).filter(([, one]) => one.effect === effect);
  expect(declared.map(([code]) => code).sort()).toEqual(codes.trim().split(/\s+/u).sort());
});

test('429 is the status of exactly the codes for an exceeded rate', () => {
  const codes = Object.entries(errorCodes);
  const rates = codes.filter(([, { meaning }]) => /\brate (?:limit|exceeded)/u.test(meaning));
  expect(rates.length).toBeGreaterThan(2);
  expect(codes.filter(([, { status }]) => status === 429)).toEqual(rates);
});

test('an encoded error body is decoded unchanged', () => {
  const error = { code: 'ErrInvalidArguments', message: 'One or more arguments are invalid' };
  expect(
    decodeErrorBody(encodeErrorBody(error, { fields: ['ttl'], isAuthenticated: true })),
  ).toEqual({ ...error, fields: ['ttl'] });
  expect(decodeErrorBody(encodeErrorBody(error))).toEqual(error);
});

test.each([[[]], [['a b']], [[1]], ['ttl'], [{ ttl: 'x' }], [Array(51).fill('ttl')]])(
  '%j lists no fields',
  (fields) => expect(decodeErrorBody({ error_code: 'ErrX', fields })?.fields).toBe(undefined),
);

test.each([null, [], 'x', 7, {}, { error: 'x' }, { error_code: '' }, { code: 7 }, { code: 'a b' }])(
  '%j is no error body',
  (body) => expect(decodeErrorBody(body)).toBe(undefined),
);

test('a key has exactly the permissions of its bits', () => {
  expect(isPermitted(33, 'Perm_R_Balance')).toBe(true);
  expect(isPermitted(33, 'Perm_R_Orders')).toBe(true);
  expect(isPermitted(33, 'Perm_W_Orders')).toBe(false);
  expect(isPermitted(0, 'MP_None')).toBe(true);
});
