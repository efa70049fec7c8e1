/**
 * The procedure of one order: what it does next follows from the order's state alone, so that a
 * restart resumes where the store says.
 */
import type { Procedure } from '../requests/procedure.ts';
import type { OrderStates } from './order-states.ts';
import { sendOrder } from './place-order.ts';
import { resolveOrder } from './resolve-unknown.ts';
import { completeOrder } from './settle-order.ts';
import { followOrder } from './track-order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Takes `order` from its present state to a final one. */
export function* driveOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  while (!order.isFinal) {
    switch (order.state) {
      case 'waiting':
      case 'sending':
        yield* sendOrder(orders, order);
        break;
      case 'unknown':
        yield* resolveOrder(orders, order);
        break;
      case 'open':
        yield* followOrder(orders, order);
        break;
      case 'completing':
        yield* completeOrder(orders, order);
        break;
    }
  }
}
