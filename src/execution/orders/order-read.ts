/** A read of an open order's record, whose answer may come after the order's life has gone on. */
import type { Reply } from '../../venues/luno/api/reply.ts';
import type { CallParameters, CallPriority, QueuedCall } from '../requests/procedure.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** What takes the answer. */
export type Reading = { takeRead(read: OrderRead, reply: Reply): void };

export class OrderRead implements QueuedCall {
  priority: CallPriority = 'resolve';
  readonly operation = 'getOrderV3';
  readonly deadlineMs = undefined;
  request = 0;
  readonly #reading: Reading;
  readonly #order: TrackedOrder;
  readonly #byOwnId: boolean;

  constructor(reading: Reading, order: TrackedOrder, byOwnId: boolean) {
    this.#reading = reading;
    this.#order = order;
    this.#byOwnId = byOwnId;
  }

  parameters(): CallParameters {
    const { clientOrderId, orderId } = this.#order;
    return this.#byOwnId ? { client_order_id: clientOrderId } : { id: orderId };
  }

  resume(reply: Reply): void {
    this.#reading.takeRead(this, reply);
  }
}
