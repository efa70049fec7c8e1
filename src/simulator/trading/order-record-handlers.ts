/**
 * Answers of the five ways to read orders. An order that is complete for more than 100 days is
 * archived: it is not listed and not found.
 */
import { limits } from '../../exchange-api/limits.ts';
import type { Exchange } from '../core/exchange.ts';
import type { User } from '../core/exchange-state.ts';
import type { Handlers } from '../core/handler.ts';
import { type Refusal, refuse, refuseArguments } from '../core/refusal.ts';
import { orderRecordOf, originalRecordOf, type SimulatedOrder } from '../core/simulated-order.ts';

const archiveMs = limits.closedOrderArchiveDays * 86_400_000;

export const orderRecordHandlers: Pick<
  Handlers,
  'listOrders' | 'listOrdersV2' | 'getOrder' | 'getOrderV2' | 'getOrderV3'
> = {
  listOrders: (parameters, { exchange, user }) => {
    const { state, margin_only: marginOnly } = parameters;
    const orders = newestOrders({ exchange, user: user() }, state, {
      ...parameters,
      isWanted: (order) =>
        marginOnly !== true || exchange.accountOf(order.baseAccountId).type === 'SPOT_MARGIN',
    });
    return { orders: orders.map((one) => originalRecordOf(one, marketOf(exchange, one))) };
  },

  listOrdersV2: (parameters, { exchange, user }) => {
    const state = parameters.closed === true ? 'COMPLETE' : 'PENDING';
    const orders = newestOrders({ exchange, user: user() }, state, parameters);
    return { orders: orders.map((one) => orderRecordOf(one, marketOf(exchange, one))) };
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
    return orderRecordOf(order.order, marketOf(exchange, order.order));
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
    return orderRecordOf(order.order, marketOf(exchange, order.order));
  },
};

type Caller = { readonly exchange: Exchange; readonly user: User };

/** Returns the caller's orders, newest first; `state` PENDING means all that are not complete. */
function newestOrders(
  { exchange, user }: Caller,
  state: 'PENDING' | 'COMPLETE' | undefined,
  filter: {
    readonly pair?: string | undefined;
    readonly created_before?: number | undefined;
    readonly limit?: number | undefined;
    readonly isWanted?: (order: SimulatedOrder) => boolean;
  },
): SimulatedOrder[] {
  const { pair, created_before: createdBefore, limit = limits.listLimitDefault } = filter;
  const ids = state === 'PENDING' ? [...user.openOrderIds] : user.orderIds;
  const found: SimulatedOrder[] = [];
  for (let i = ids.length - 1; i >= 0 && found.length < limit; i--) {
    const order = exchange.orderOf(user.id, ids[i] as string);
    if (order === undefined || isArchived(order, exchange.timeMs)) continue;
    if (state !== undefined && (order.status === 'COMPLETE') !== (state === 'COMPLETE')) continue;
    if (pair !== undefined && order.pair !== pair) continue;
    if (createdBefore !== undefined && order.createdMs >= createdBefore) continue;
    if (filter.isWanted?.(order) ?? true) found.push(order);
  }
  return found;
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

function marketOf(exchange: Exchange, order: SimulatedOrder) {
  return exchange.marketOf(order.pair).market;
}
