/**
 * Decodes the answers of orders, cancels and reads of orders faster than their schemas: strategies
 * wait for the first two, and the others are long.
 *
 * Invariant: what it decodes, the schema decodes to the same; everything else is left to the
 * schema, which also words the errors.
 */
import type { OperationName } from './operations.ts';
import { isObject } from './quick-members.ts';
import { quickOrderList, quickOrderRecord } from './quick-order-record.ts';

/** Returns the answer in `body`, or undefined if the operation's schema has to decide. */
export function quickAnswer(operation: string, body: unknown): unknown {
  if (!isObject(body)) return undefined;
  switch (operation as OperationName) {
    case 'postorder':
    case 'marketorder': {
      const { order_id } = body;
      const isId = typeof order_id === 'string' && order_id.length >= 1 && order_id.length <= 100;
      return isId ? { order_id } : undefined;
    }
    case 'stoporder': {
      const { success } = body;
      return typeof success === 'boolean' ? { success } : undefined;
    }
    case 'getOrderV3':
      return quickOrderRecord(body);
    case 'listOrdersV2': {
      const orders = quickOrderList(body['orders']);
      return orders && { orders };
    }
    default:
      return undefined;
  }
}
