/** What the answer to an order request proves; an answer that is not listed here proves nothing. */
import type { VenueReply } from '../../venue/venue-reply.ts';

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
  | { readonly kind: 'throttled'; readonly detail: string }
  /** The key cannot trade. */
  | { readonly kind: 'fatal'; readonly detail: string }
  | {
      readonly kind: 'ambiguous';
      readonly detail: string;
      /** Whether the exchange accepts no orders of this pair for now. */
      readonly isMarketClosed: boolean;
      /** Whether it came after its time to live, so that nothing was done for it. */
      readonly isExpired: boolean;
    };

/** Returns what `reply` proves about the requested order. */
export function placeOutcomeOf(reply: VenueReply<'place'>): PlaceOutcome {
  if (reply.kind === 'ok') return { kind: 'accepted', orderId: reply.value.orderId };
  if (reply.kind === 'not-sent') return { kind: 'not-sent', detail: reply.why };
  if (reply.kind === 'no-answer') return ambiguous(reply.why);
  const { reason, closesMarket = false, code, text } = reply;
  const detail = `${code}: ${text}`;
  switch (reason) {
    case 'rejected':
    case 'market-closed':
    case 'exists':
    case 'throttled':
      return { kind: reason, detail };
    case 'would-take':
      return { kind: 'post-only-cancelled', detail };
    case 'key-refused':
      return { kind: 'fatal', detail };
    default:
      return ambiguous(detail, closesMarket, reason === 'expired');
  }
}

/** The outcome of an attempt about which nothing is proven. */
export function ambiguous(
  detail: string,
  isMarketClosed = false,
  isExpired = false,
): Extract<PlaceOutcome, { kind: 'ambiguous' }> {
  return { kind: 'ambiguous', detail, isMarketClosed, isExpired };
}
