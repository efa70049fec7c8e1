/**
 * Handlers of the five operations that read orders. An order that completed more than 100 days ago
 * is archived: it is neither listed nor found.
 */
import { limits } from '../../api/limits.ts';
import type { OrderRecord } from '../../api/operations/order-operations.ts';
import { newestOrders, type OrderFilter } from '../core/account-lists.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import type { Handlers } from '../core/handler.ts';
import { orderRecordOf } from '../core/order-records.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import { originalRecordOf, type SimulatedOrder } from '../core/simulated-order.ts';

const archiveMs = limits.closedOrderArchiveDays * 86_400_000;

export const orderRecordHandlers: Pick<
  Handlers,
  'listOrders' | 'listOrdersV2' | 'getOrder' | 'getOrderV2' | 'getOrderV3'
> = {
  listOrders: (parameters, { exchange, user }) => {
    const { state, margin_only: marginOnly } = parameters;
    const isWanted = (order: SimulatedOrder) =>
      marginOnly !== true || exchange.accountOf(order.baseAccountId).type === 'SPOT_MARGIN';
    const orders = ordersOf({ exchange, user: user() }, { state, isWanted }, parameters);
    return { orders: orders.map((order) => originalRecordOf(order, marketOf(exchange, order))) };
  },

  listOrdersV2: (parameters, { exchange, user }) => {
    const state = parameters.closed === true ? 'COMPLETE' : 'PENDING';
    const orders = ordersOf({ exchange, user: user() }, { state }, parameters);
    return { orders: orders.map((order) => recordOf(exchange, order)) };
  },

  getOrder: ({ id }, { exchange, user }) => {
    const order = orderFor({ exchange, user: user() }, id);
    if (order.kind === 'refused') return order;
    const record = originalRecordOf(order.order, marketOf(exchange, order.order));
    return { ...record, leverage: order.order.leverage ?? 0 };
  },

  getOrderV2: ({ id }, { exchange, user }) => {
    const order = orderFor({ exchange, user: user() }, id);
    if (order.kind === 'refused') return order;
    return recordOf(exchange, order.order);
  },

  getOrderV3: ({ id, client_order_id: clientOrderId }, { exchange, user }) => {
    if ((id === undefined) === (clientOrderId === undefined))
      return refuseArguments(
        ['id', 'client_order_id'],
        'Exactly one of id and client_order_id must be given',
      );
    const orderId = id ?? user().orderIdByClientOrderId.get(clientOrderId as string);
    const order = orderFor({ exchange, user: user() }, orderId);
    if (order.kind === 'refused') return order;
    return recordOf(exchange, order.order);
  },
};

type Caller = { readonly exchange: Exchange; readonly user: User };

/**
 * Returns the caller's orders, newest first. `state` PENDING means all orders that are not
 * complete.
 */
function ordersOf(
  { exchange, user }: Caller,
  wanted: {
    readonly state: 'PENDING' | 'COMPLETE' | undefined;
    readonly isWanted?: (order: SimulatedOrder) => boolean;
  },
  filter: OrderFilter,
): readonly SimulatedOrder[] {
  const { state, isWanted = () => true } = wanted;
  const ids = state === 'PENDING' ? [...user.openOrderIds] : user.orderIds;
  const listed = (id: string): SimulatedOrder | undefined => {
    const order = exchange.orderOf(user.id, id);
    if (order === undefined || isArchived(order, exchange.timeMs)) return undefined;
    const isOther = state !== undefined && (order.status === 'COMPLETE') !== (state === 'COMPLETE');
    return isOther || !isWanted(order) ? undefined : order;
  };
  return newestOrders(ids, listed, filter);
}

function orderFor(
  { exchange, user }: Caller,
  id: string | undefined,
): { readonly kind: 'valid'; readonly order: SimulatedOrder } | Refusal {
  const order = id === undefined ? undefined : exchange.orderOf(user.id, id);
  if (order === undefined || isArchived(order, exchange.timeMs))
    return refuse('ErrOrderNotFound', 'Order not found');
  return { kind: 'valid', order };
}

function isArchived(order: SimulatedOrder, timeMs: number): boolean {
  return order.status === 'COMPLETE' && timeMs - order.completedMs > archiveMs;
}

function recordOf(exchange: Exchange, order: SimulatedOrder): OrderRecord {
  return orderRecordOf(order, marketOf(exchange, order));
}

function marketOf(exchange: Exchange, order: SimulatedOrder) {
  return exchange.marketOf(order.pair).market;
}
