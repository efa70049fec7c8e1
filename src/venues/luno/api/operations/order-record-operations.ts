/** The older operations to read orders: list orders and get order v1, and get order v2. */
import * as z from 'zod';
import { operation } from '../operation.ts';
import { flag, inPath, oneOf, optional, pattern, text, timeMs } from '../parameter.ts';
import {
  amount,
  integer,
  list,
  openEnumeration,
  optionalMember,
  optionalText,
  time,
} from '../wire.ts';
import { listLimit, orderRecord } from './order-operations.ts';

/** The accepted form of order ids; the exchange's own ids are `BX` and 13 characters. */
const orderReference = pattern(/^[0-9A-Za-z_-]{1,100}$/u, 'ErrInvalidOrderRef');

const originalOrderRecord = z.object({
  order_id: z.string().min(1),
  pair: z.string(),
  // BUY or SELL for market orders.
  type: openEnumeration(['BID', 'ASK', 'BUY', 'SELL']),
  // A stop order that waits for its trigger is PENDING here (ours), as there is no other state.
  state: openEnumeration(['PENDING', 'COMPLETE']),
  time_in_force: optionalText,
  limit_price: amount,
  limit_volume: amount,
  base: amount,
  counter: amount,
  fee_base: amount,
  fee_counter: amount,
  creation_timestamp: time,
  completed_timestamp: time,
  // Set when a cancel is processed; otherwise 0.
  expiration_timestamp: time,
  // Only in get order.
  leverage: optionalMember(integer),
});
/** The original record of an order, in the answers of list orders and get order. */
export type OriginalOrderRecord = z.output<typeof originalOrderRecord>;

export const listOrders = operation({
  name: 'listOrders',
  method: 'GET',
  path: '/api/1/listorders',
  earlierPaths: ['/api/1/:pair/listorders'],
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Lists orders, newest first; both open and closed ones unless state is given.',
  parameters: {
    state: optional(oneOf(['PENDING', 'COMPLETE']), 'only orders in this state'),
    pair: optional(text(20), 'only this pair'),
    created_before: optional(timeMs, 'only orders created before this'),
    limit: listLimit,
    margin_only: optional(flag, 'true: only orders of spot margin accounts'),
  },
  errors: ['ErrLimitOutOfRange', 'ErrInvalidArguments'],
  response: z.object({ orders: list(originalOrderRecord) }),
});

export const getOrder = operation({
  name: 'getOrder',
  method: 'GET',
  path: '/api/1/orders/:id',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Returns one order, until 100 days after its completion.',
  parameters: { id: inPath(orderReference, "the exchange's id of the order") },
  errors: ['ErrOrderNotFound', 'ErrInvalidOrderRef'],
  response: originalOrderRecord,
});

export const getOrderV2 = operation({
  name: 'getOrderV2',
  method: 'GET',
  path: '/api/exchange/2/orders/:id',
  source: 'facts',
  permission: 'Perm_R_Orders',
  repeat: 'read',
  description: 'Returns one order as list orders v2 does, until 100 days after its completion.',
  parameters: { id: inPath(orderReference, "the exchange's id of the order") },
  errors: ['ErrOrderNotFound', 'ErrInvalidOrderRef'],
  response: orderRecord,
});
