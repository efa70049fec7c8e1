/** What a refused cancel says to the operator. */
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/**
 * Reports, once for each order, that the exchange refused to cancel it. If a source already reports
 * the order as complete, there was nothing to cancel, so the refusal is not reported.
 */
export function noteRefusedStop(
  { context }: OrderStates,
  order: TrackedOrder,
  reply: VenueReply<'cancel'>,
): void {
  const isNews = order.state === 'open' && !order.completionHinted;
  if (reply.kind !== 'refused' || !isNews || !order.noteReport('CANCEL_REFUSED')) return;
  context.cancelRefused(order, `${reply.code}: ${reply.text}`);
}
