/** An order of the simulated exchange, and its record in version 1 of the order operations. */
import type { Market } from '../../../../domain/market.ts';
import { type AccountOrder, createOrder } from '../../../../exchange-accounts/account-order.ts';
import type { OriginalOrderRecord } from '../../api/operations/order-record-operations.ts';
import type { NewOrder } from './matching.ts';
import { orderIdOf } from './order-id.ts';
import { orderRecordOf } from './order-records.ts';

export type SimulatedOrder = NewOrder &
  AccountOrder & {
    /** Sequence number over all orders of the exchange. */
    readonly number: number;
    /** Sequence number over all entries into a book: the queue order within a price. */
    arrival: number;
  };

/** Returns a new order that has not traded, with its reservation. */
export function createSimulatedOrder(
  terms: NewOrder,
  at: {
    readonly idSeed: bigint;
    readonly number: number;
    readonly market: Market;
    readonly timeMs: number;
  },
): SimulatedOrder {
  const { idSeed, number, market, timeMs } = at;
  const id = orderIdOf(idSeed, number);
  return { ...createOrder(terms, { id, market, timeMs }), number, arrival: 0 };
}

/**
 * Returns the order in the format of version 1 of listorders and getorder, without its leverage.
 */
export function originalRecordOf(order: SimulatedOrder, market: Market): OriginalOrderRecord {
  const record = orderRecordOf(order, market);
  return {
    order_id: record.order_id,
    pair: record.pair,
    type: (order.isMarketOrder === true ? record.side : order.side) as OriginalOrderRecord['type'],
    state: order.status === 'COMPLETE' ? 'COMPLETE' : 'PENDING',
    time_in_force: record.time_in_force,
    limit_price: record.limit_price,
    limit_volume: record.limit_volume,
    base: record.base,
    counter: record.counter,
    fee_base: record.fee_base,
    fee_counter: record.fee_counter,
    creation_timestamp: record.creation_timestamp,
    completed_timestamp: record.completed_timestamp,
    expiration_timestamp: record.expiration_timestamp,
  };
}
