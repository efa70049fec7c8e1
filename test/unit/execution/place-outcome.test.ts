/** The table of what an answer to an order request proves (catalogue 2.2). */
import { describe, expect, test } from 'vitest';
import { isOrderNotFound, placeOutcomeOf } from '../../../src/execution/orders/place-outcome.ts';
import { errorDeclarationOf } from '../../../src/venues/luno/api/error-codes.ts';
import { noAnswer, ok, refused } from './execution-fixture.ts';

const table: Readonly<Record<string, string>> = {
  rejected: `ErrInvalidArguments ErrInvalidParameters ErrInvalidMarketPair ErrInvalidPrice
    ErrInvalidVolume ErrInvalidBaseVolume ErrInvalidCounterVolume ErrInvalidOrderSide
    ErrInvalidStopDirection ErrInvalidStopPrice ErrInvalidClientOrderId ErrInvalidAccount
    ErrInvalidAccountID ErrAccountNotFound ErrPriceDenominationNotAllowed
    ErrVolumeDenominationNotAllowed ErrCounterDenominationNotAllowed ErrPriceTooHigh
    ErrPriceTooLow ErrVolumeTooHigh ErrVolumeTooLow ErrValueTooHigh ErrStopPriceTooHigh
    ErrStopPriceTooLow ErrNoTradesToInferStopDirection ErrPostOnlyNotAllowed
    ErrNotEnoughLiquidity ErrInsufficientBalance ErrInsufficientFunds
    ErrCrossAccountTypeTradeNotAllowed ErrOnlySpotWalletsAllowed
    ErrLeverageRequiresSpotMarginWallet ErrMissingAutoRepay ErrMarketNotAllowed
    ErrUserNotVerifiedForCurrency`,
  'market-closed': `ErrPostOnlyMode ErrMarketUnavailable ErrUnderMaintenance
    ErrCannotTradeWhileQuoteActive ErrAccountIsMigrating`,
  'post-only-cancelled': 'ErrOrderCanceled',
  exists: 'ErrDuplicateClientOrderID',
  throttled: 'ErrTooManyRequests',
  fatal: 'ErrApiKeyRevoked ErrUnauthorised ErrInsufficientPerms ErrUpdateRequired',
  ambiguous: `ErrInternal ErrInternalServer ErrClusterUnavailable ErrDeadlineExceeded
    ErrOrderNotFound ErrSomethingNew`,
};
const rows = Object.entries(table).flatMap(([kind, codes]) =>
  codes.split(/\s+/u).map((code) => [code, kind] as const),
);

describe('what the answer to an order request proves', () => {
  test.each(rows)('%s: %s', (code, kind) => {
    const { status } = errorDeclarationOf(code) ?? { status: 400 };
    // As told by a server that works: what a failing one says proves nothing, see below.
    expect(placeOutcomeOf(refused(Math.min(status, 499), code)).kind).toBe(kind);
  });

  test.each([500, 502, 503, 504])(
    'status %i proves nothing, even with a definitive code (A7)',
    (status) => {
      expect(placeOutcomeOf(refused(status, 'ErrInsufficientBalance')).kind).toBe('ambiguous');
      expect(placeOutcomeOf(refused(status, 'ErrNew')).kind).toBe('ambiguous');
    },
  );

  test.each([
    [409, 'ErrNew', 'exists'],
    [429, 'ErrNew', 'throttled'],
    [401, 'ErrNew', 'fatal'],
    [403, 'ErrNew', 'fatal'],
  ])('status %i means the same with any code: %s is %s', (status, code, kind) => {
    expect(placeOutcomeOf(refused(status, code)).kind).toBe(kind);
  });

  test('an answer with an order id is accepted, none proves nothing, unsent is unsent', () => {
    expect(placeOutcomeOf(ok({ order_id: 'BX1' }))).toEqual({ kind: 'accepted', orderId: 'BX1' });
    expect(placeOutcomeOf(noAnswer).kind).toBe('ambiguous');
    expect(placeOutcomeOf({ kind: 'not-sent', reason: 'ENOTFOUND' }).kind).toBe('not-sent');
  });

  test("only the exchange's own word says that there is no such order (RD4, RD29)", () => {
    expect(isOrderNotFound(refused(404, 'ErrOrderNotFound'))).toBe(true);
    expect(isOrderNotFound(refused(404, 'ErrNotFound'))).toBe(true);
    expect(isOrderNotFound({ kind: 'no-answer', reason: '404 page', status: 404 })).toBe(false);
    expect(isOrderNotFound(refused(404, 'ErrAccountNotFound'))).toBe(false);
    expect(isOrderNotFound(refused(500, 'ErrInternal'))).toBe(false);
    expect(isOrderNotFound({ kind: 'not-sent', reason: 'ENOTFOUND' })).toBe(false);
  });
});
