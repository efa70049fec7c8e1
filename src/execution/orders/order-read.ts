/** A read of an open order's record, whose answer may come after the order's life has gone on. */
import type { VenueReply } from '../../venue/venue-reply.ts';
import type { OrderRequest } from '../../venue/venue-request.ts';
import type { CallPriority, QueuedCall } from '../requests/procedure.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** What takes the answer. */
export type Reading = { takeRead(read: OrderRead, reply: VenueReply): void };

/** Returns a read of an order by the exchange's id, if that is known, or by our own. */
export function orderRequestOf(
  { clientOrderId, orderId }: TrackedOrder,
  byOwnId = false,
): OrderRequest {
  return byOwnId || orderId === undefined
    ? { kind: 'order', clientOrderId }
    : { kind: 'order', orderId };
}

export class OrderRead implements QueuedCall {
  priority: CallPriority = 'resolve';
  readonly deadlineMs = undefined;
  number = 0;
  readonly #reading: Reading;
  readonly #order: TrackedOrder;
  readonly #byOwnId: boolean;

  constructor(reading: Reading, order: TrackedOrder, byOwnId: boolean) {
    this.#reading = reading;
    this.#order = order;
    this.#byOwnId = byOwnId;
  }

  request(): OrderRequest {
    return orderRequestOf(this.#order, this.#byOwnId);
  }

  resume(reply: VenueReply): void {
    this.#reading.takeRead(this, reply);
  }
}
