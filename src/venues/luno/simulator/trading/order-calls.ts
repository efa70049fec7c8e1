/** Places limit and stop-limit orders, and cancels orders that are not complete. */
import { cancelOrder, executeOrder } from '../core/matching-engine.ts';
import { type Calls, change } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';
import { checkOrder } from './order-check.ts';

export const orderCalls: Pick<Calls, 'postorder' | 'stoporder'> = {
  postorder: (parameters, context) => {
    const checked = checkOrder(parameters, context);
    if (checked.kind === 'refused') return checked;
    return change(() => ({ order_id: executeOrder(context.exchange, checked.order).id }));
  },

  stoporder: ({ order_id: orderId }, { exchange, user }) => {
    const order = exchange.orderOf(user.id, orderId);
    if (order === undefined || order.status === 'COMPLETE')
      return refuse(
        'ErrCannotStopUnknownOrNonPendingOrder',
        'Cannot stop an unknown or non-pending order',
      );
    return change(() => {
      cancelOrder(exchange, order);
      return { success: true };
    });
  },
};
