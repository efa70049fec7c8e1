/** What each code with each status proves, for every kind of request. */
import { describe, expect, test } from 'vitest';
import type { Refusal } from '../../../../../src/venue/venue-reply.ts';
import type { RequestKind } from '../../../../../src/venue/venue-request.ts';
import { operationOf } from '../../../../../src/venues/luno/adapter/codec.ts';
import { reasonOf } from '../../../../../src/venues/luno/adapter/reasons.ts';
import { errorCodes, errorDeclarationOf } from '../../../../../src/venues/luno/api/error-codes.ts';

const codes = [...Object.keys(errorCodes), 'ErrNew'];
const statuses = [400, 401, 403, 404, 409, 418, 429, 499, 500, 502, 503, 599];
const kinds = Object.keys(operationOf) as RequestKind[];

type Reasoned = Pick<Refusal, 'reason' | 'closesMarket'>;

const effectOf = (code: string) => errorDeclarationOf(code)?.effect ?? 'ambiguous';

/** What is said about the key or the rate, whatever was asked; undefined for anything else. */
function reasonOfCaller(status: number, code: string): Reasoned | undefined {
  const effect = effectOf(code);
  if (status === 429 || effect === 'throttled') return { reason: 'throttled' };
  if (status === 401 || status === 403 || effect === 'fatal') return { reason: 'key-refused' };
  return undefined;
}

/** What remains: a server that fails proves nothing, nor does a code that nobody knows. */
function reasonOfEffect(status: number, code: string): Reasoned {
  const effect = effectOf(code);
  const isClosed = effect === 'market-closed';
  if (status >= 500)
    return isClosed ? { reason: 'unclear', closesMarket: true } : { reason: 'unclear' };
  if (effect === 'post-only-cancelled') return { reason: 'would-take' };
  if (effect === 'rejected' || isClosed || effect === 'exists') return { reason: effect };
  return { reason: 'unclear' };
}

/** The reason of a refused order. */
function reasonOfPlace(status: number, code: string): Reasoned {
  if (status === 409 || effectOf(code) === 'exists') return { reason: 'exists' };
  const ofCaller = reasonOfCaller(status, code);
  if (ofCaller !== undefined) return ofCaller;
  if (status < 500 && code === 'ErrDeadlineExceeded') return { reason: 'expired' };
  return reasonOfEffect(status, code);
}

/** The reason of another refused request. */
function reasonOfOther(kind: RequestKind, status: number, code: string): Reasoned {
  const ofCaller = reasonOfCaller(status, code);
  if (ofCaller !== undefined) return ofCaller;
  if (kind === 'order' && (code === 'ErrOrderNotFound' || code === 'ErrNotFound'))
    return { reason: 'not-found' };
  if (kind === 'cancel' && code === 'ErrCannotStopUnknownOrNonPendingOrder')
    return { reason: 'not-open' };
  if (kind === 'movements' && code === 'ErrAccountRowLimit') return { reason: 'ledger-not-listed' };
  return reasonOfEffect(status, code);
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
