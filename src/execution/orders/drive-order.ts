/**
 * The procedure of one order. The order's state alone decides the next action, so that a restart
 * continues where the store left off.
 */
import type { Procedure } from '../requests/procedure.ts';
import type { OrderStates } from './order-states.ts';
import { placeOrder } from './place-order.ts';
import { resolveUnknown } from './resolve-unknown.ts';
import { settleOrder } from './settle-order.ts';
import { trackOrder } from './track-order.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Takes `order` from its current state to a final one. */
export function* driveOrder(orders: OrderStates, order: TrackedOrder): Procedure {
  while (!order.isFinal) {
    switch (order.state) {
      case 'waiting':
      case 'sending':
        yield* placeOrder(orders, order);
        break;
      case 'unknown':
        yield* resolveUnknown(orders, order);
        break;
      case 'open':
        yield* trackOrder(orders, order);
        break;
      case 'completing':
        yield* settleOrder(orders, order);
        break;
    }
  }
}
