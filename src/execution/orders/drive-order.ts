/** Starts the life of an order, or continues it after a restart. */
import { OrderLife } from './order-life.ts';
import type { OrderStates } from './order-states.ts';
import type { TrackedOrder } from './tracked-order.ts';

/** Takes `order` from its current state to a final one. */
export function driveOrder(orders: OrderStates, order: TrackedOrder): void {
  const life = new OrderLife(orders, order);
  order.life = life;
  orders.context.tasks.resume(life, undefined);
}
