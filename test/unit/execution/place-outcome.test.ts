/** The table of what an answer to an order request proves (catalogue 2.2). */
import { describe, expect, test } from 'vitest';
import { placeOutcomeOf } from '../../../src/execution/orders/place-outcome.ts';
import type { PlaceRequest } from '../../../src/venue/venue-request.ts';
import { venueReplyOf } from '../../../src/venues/luno/adapter/codec.ts';
import { errorDeclarationOf } from '../../../src/venues/luno/api/error-codes.ts';
import type { Reply } from '../../../src/venues/luno/api/reply.ts';
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
const outcomeOf = (reply: Reply) =>
  placeOutcomeOf(venueReplyOf({ kind: 'place' } as PlaceRequest, reply));
const rows = Object.entries(table).flatMap(([kind, codes]) =>
  codes.split(/\s+/u).map((code) => [code, kind] as const),
);

describe('what the answer to an order request proves', () => {
  test.each(rows)('%s: %s', (code, kind) => {
    const { status } = errorDeclarationOf(code) ?? { status: 400 };
    // As told by a server that works: what a failing one says proves nothing, see below.
    expect(outcomeOf(refused(Math.min(status, 499), code)).kind).toBe(kind);
  });

  test.each([500, 502, 503, 504])(
    'status %i proves nothing, even with a definitive code (A7)',
    (status) => {
      expect(outcomeOf(refused(status, 'ErrInsufficientBalance')).kind).toBe('ambiguous');
      expect(outcomeOf(refused(status, 'ErrNew')).kind).toBe('ambiguous');
    },
  );

  test.each([
    [409, 'ErrNew', 'exists'],
    [429, 'ErrNew', 'throttled'],
    [401, 'ErrNew', 'fatal'],
    [403, 'ErrNew', 'fatal'],
  ])('status %i means the same with any code: %s is %s', (status, code, kind) => {
    expect(outcomeOf(refused(status, code)).kind).toBe(kind);
  });

  test('an answer with an order id is accepted, none proves nothing, unsent is unsent', () => {
    expect(outcomeOf(ok({ order_id: 'BX1' }))).toEqual({ kind: 'accepted', orderId: 'BX1' });
    expect(outcomeOf(noAnswer).kind).toBe('ambiguous');
    expect(outcomeOf({ kind: 'not-sent', reason: 'ENOTFOUND' }).kind).toBe('not-sent');
  });
});
