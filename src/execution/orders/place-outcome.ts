/** What the answer to an order request proves; an answer that is not listed here proves nothing. */
import { errorDeclarationOf } from '../../venues/luno/api/error-codes.ts';
import type { Reply } from '../../venues/luno/api/reply.ts';

export type PlaceOutcome =
  | { readonly kind: 'accepted'; readonly orderId: string }
  /** The request was not sent. */
  | { readonly kind: 'not-sent'; readonly detail: string }
  /** This attempt created no order. */
  | { readonly kind: 'rejected'; readonly detail: string }
  /** As `rejected`, and the exchange accepts no orders of this pair for now. */
  | { readonly kind: 'market-closed'; readonly detail: string }
  | { readonly kind: 'post-only-cancelled'; readonly detail: string }
  /** An order with this id already exists. */
  | { readonly kind: 'exists'; readonly detail: string }
  | {
      readonly kind: 'throttled';
      readonly detail: string;
      readonly retryAfterMs: number | undefined;
    }
  /** The key cannot trade. */
  | { readonly kind: 'fatal'; readonly detail: string }
  | {
      readonly kind: 'ambiguous';
      readonly detail: string;
      /** Whether the exchange accepts no orders of this pair for now. */
      readonly isMarketClosed: boolean;
    };

/** Returns what `reply` proves about the requested order. */
export function placeOutcomeOf(reply: Reply<'postorder'>): PlaceOutcome {
  if (reply.kind === 'ok') return { kind: 'accepted', orderId: reply.body.order_id };
  if (reply.kind === 'not-sent') return { kind: 'not-sent', detail: reply.reason };
  if (reply.kind === 'no-answer')
    return { kind: 'ambiguous', detail: reply.reason, isMarketClosed: false };

  const detail = `${reply.status} ${reply.code}: ${reply.message}`;
  const effect = errorDeclarationOf(reply.code)?.effect;
  if (reply.status === 409 || effect === 'exists') return { kind: 'exists', detail };
  if (reply.status === 429 || effect === 'throttled')
    return { kind: 'throttled', detail, retryAfterMs: reply.retryAfterMs };
  if (isKeyRefused(reply)) return { kind: 'fatal', detail };
  // A server may have processed the order before it failed, whatever its error code says.
  if (reply.status >= 500 || effect === undefined || effect === 'ambiguous')
    return { kind: 'ambiguous', detail, isMarketClosed: effect === 'market-closed' };
  return { kind: effect, detail };
}

/** Returns whether the exchange refuses the API key, so that every further request will fail. */
export function isKeyRefused(reply: Extract<Reply, { kind: 'refused' }>): boolean {
  const isFatal = errorDeclarationOf(reply.code)?.effect === 'fatal';
  return reply.status === 401 || reply.status === 403 || isFatal;
}

/** Returns whether the exchange says in `reply` that the order does not exist. */
export function isOrderNotFound(reply: Reply): boolean {
  return (
    reply.kind === 'refused' && (reply.code === 'ErrOrderNotFound' || reply.code === 'ErrNotFound')
  );
}
