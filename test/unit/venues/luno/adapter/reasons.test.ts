/**
 * The reason of a refusal is what the order path's own functions say about it, for every code with
 * every status and kind of request.
 */
import { describe, expect, test } from 'vitest';
import {
  isKeyRefused,
  isOrderNotFound,
  placeOutcomeOf,
} from '../../../../../src/execution/orders/place-outcome.ts';
import { isStopped } from '../../../../../src/execution/reconcile/cancel-all.ts';
import type { Refusal } from '../../../../../src/venue/venue-reply.ts';
import type { RequestKind } from '../../../../../src/venue/venue-request.ts';
import { operationOf } from '../../../../../src/venues/luno/adapter/reader.ts';
import { reasonOf } from '../../../../../src/venues/luno/adapter/reasons.ts';
import { errorCodes, errorDeclarationOf } from '../../../../../src/venues/luno/api/error-codes.ts';

const codes = [...Object.keys(errorCodes), 'ErrNew'];
const statuses = [400, 401, 403, 404, 409, 418, 429, 499, 500, 502, 503, 599];
const kinds = Object.keys(operationOf) as RequestKind[];

const refused = (status: number, code: string) =>
  ({ kind: 'refused', status, code, message: '' }) as const;

type Reasoned = Pick<Refusal, 'reason' | 'closesMarket'>;

/** The reason of a refused order, by its outcome. */
function reasonOfPlace(status: number, code: string): Reasoned {
  const outcome = placeOutcomeOf(refused(status, code));
  switch (outcome.kind) {
    case 'fatal':
      return { reason: 'key-refused' };
    case 'post-only-cancelled':
      return { reason: 'would-take' };
    case 'ambiguous':
      if (outcome.isMarketClosed) return { reason: 'unclear', closesMarket: true };
      // `repeat-expired` asks for these two.
      if (status < 500 && code === 'ErrDeadlineExceeded') return { reason: 'expired' };
      return { reason: 'unclear' };
    case 'accepted':
    case 'not-sent':
      throw new Error('it was refused');
    default:
      return { reason: outcome.kind };
  }
}

/** The reason of another refused request; one of the key or the rate says nothing else. */
function reasonOfOther(kind: RequestKind, status: number, code: string): Reasoned {
  const reply = refused(status, code);
  const effect = errorDeclarationOf(code)?.effect ?? 'ambiguous';
  if (status === 429 || effect === 'throttled') return { reason: 'throttled' };
  if (isKeyRefused(reply)) return { reason: 'key-refused' };
  if (kind === 'order' && isOrderNotFound(reply)) return { reason: 'not-found' };
  if (kind === 'cancel' && isStopped(reply)) return { reason: 'not-open' };
  if (kind === 'movements' && code === 'ErrAccountRowLimit') return { reason: 'ledger-not-listed' };
  // What an order's refusal proves, except that its id exists: a status 409 is of its id.
  if (effect === 'exists') return { reason: status >= 500 ? 'unclear' : 'exists' };
  const ofPlace = reasonOfPlace(status === 409 ? 400 : status, code);
  return ofPlace.reason === 'expired' ? { reason: 'unclear' } : ofPlace;
}

describe('the reason of a refused request', () => {
  test.each(kinds)('%s', (kind) => {
    for (const code of codes)
      for (const status of statuses) {
        const wanted =
          kind === 'place' ? reasonOfPlace(status, code) : reasonOfOther(kind, status, code);
        expect([code, status, reasonOf(kind, { code, status })]).toEqual([code, status, wanted]);
      }
  });

  test('each reason occurs', () => {
    const found = new Set(
      kinds.flatMap((kind) =>
        codes.flatMap((code) => statuses.map((status) => reasonOf(kind, { code, status }).reason)),
      ),
    );
    expect(found.size).toBe(11);
  });
});
