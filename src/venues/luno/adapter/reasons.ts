/** What a refusal of Luno proves about its request, from its code and status. */
import type { Reason, Refusal } from '../../../venue/venue-reply.ts';
import type { RequestKind } from '../../../venue/venue-request.ts';
import { type ErrorEffect, errorDeclarationOf } from '../api/error-codes.ts';

/** Codes that say something about one kind of request only. */
const ownCodes: Readonly<Partial<Record<RequestKind, Readonly<Record<string, Reason>>>>> = {
  order: { ErrOrderNotFound: 'not-found', ErrNotFound: 'not-found' },
  cancel: { ErrCannotStopUnknownOrNonPendingOrder: 'not-open' },
  movements: { ErrAccountRowLimit: 'ledger-not-listed' },
};

const reasonOfEffect: Readonly<Record<ErrorEffect, Reason>> = {
  rejected: 'rejected',
  'market-closed': 'market-closed',
  'post-only-cancelled': 'would-take',
  exists: 'exists',
  throttled: 'throttled',
  fatal: 'key-refused',
  ambiguous: 'unclear',
};

/** Returns the reason; the rules apply in this order. */
export function reasonOf(
  kind: RequestKind,
  { status, code }: { readonly status: number; readonly code: string },
): Pick<Refusal, 'reason' | 'closesMarket'> {
  const effect = errorDeclarationOf(code)?.effect ?? 'ambiguous';
  if (kind === 'place' && (status === 409 || effect === 'exists')) return { reason: 'exists' };
  if (status === 429 || effect === 'throttled') return { reason: 'throttled' };
  if (status === 401 || status === 403 || effect === 'fatal') return { reason: 'key-refused' };
  const own = ownCodes[kind]?.[code];
  if (own !== undefined) return { reason: own };
  // A server may have acted before it failed, whatever its error code says.
  if (status >= 500)
    return effect === 'market-closed'
      ? { reason: 'unclear', closesMarket: true }
      : { reason: 'unclear' };
  if (kind === 'place' && code === 'ErrDeadlineExceeded') return { reason: 'expired' };
  return { reason: reasonOfEffect[effect] };
}
