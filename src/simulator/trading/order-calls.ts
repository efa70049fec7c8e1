/** Places limit and stop-limit orders, and cancels orders that are not complete. */
import { type Calls, change } from '../core/plan.ts';
import { refuse } from '../core/refusal.ts';
import { checkOrder } from './order-check.ts';

export const orderCalls: Pick<Calls, 'postorder' | 'stoporder'> = {
  postorder: (parameters, context) => {
    const checked = checkOrder(parameters, context);
    if (checked.kind === 'refused') return checked;
    return change(() => ({ order_id: context.exchange.execute(checked.order).id }));
  },

  stoporder: ({ order_id: orderId }, { exchange, user }) => {
    const order = exchange.orderOf(user.id, orderId);
    if (order === undefined || order.status === 'COMPLETE')
      return refuse(
        'ErrCannotStopUnknownOrNonPendingOrder',
        'Cannot stop an unknown or non-pending order',
      );
    return change(() => {
      exchange.cancel(order);
      return { success: true };
    });
  },
};
