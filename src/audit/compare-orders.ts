/** Compares the store's orders with the exchange's. */
import { isFinal } from '../domain/order.ts';
import type { OrderRow } from '../domain/records.ts';
import type { OrderRecord } from '../venues/luno/api/operations/order-operations.ts';
import { compareFields, type DifferenceSink, isSameAmount } from './difference.ts';

export type OrderComparison = {
  /** Client order ids in the store only, not yet proven absent at the exchange; not a fault. */
  readonly undecided: readonly string[];
};

/**
 * Reports every difference. An order that is rejected, absent or unsent in the store must not be at
 * the exchange; every other order must, unless its outcome is still unknown.
 */
export function compareOrders(
  stored: readonly OrderRow[],
  atExchange: readonly OrderRecord[],
  report: DifferenceSink,
): OrderComparison {
  const byClientId = new Map(stored.map((row) => [row.clientOrderId, row]));
  const seen = new Map<string, string>();
  for (const record of atExchange) {
    const subject = record.client_order_id;
    const before = seen.get(subject);
    if (before !== undefined)
      report({
        kind: 'order',
        subject,
        field: 'number of orders with this id',
        store: '1',
        exchange: `2: ${before} and ${record.order_id}`,
      });
    seen.set(subject, record.order_id);
    const row = byClientId.get(subject);
    if (row === undefined)
      report({ kind: 'order', subject, field: 'order', store: null, exchange: record.order_id });
    else compareOrder(row, record, report);
  }
  const undecided: string[] = [];
  for (const row of stored) {
    if (seen.has(row.clientOrderId)) continue;
    if (mayBeAbsent(row)) undecided.push(row.clientOrderId);
    else if (mustBeThere(row))
      report({
        kind: 'order',
        subject: row.clientOrderId,
        field: 'order',
        store: `${row.state}, ${row.orderId ?? 'without an exchange order id'}`,
        exchange: null,
      });
  }
  return { undecided };
}

function mayBeAbsent({ state, orderId }: OrderRow): boolean {
  return orderId === undefined && !isFinal(state);
}

function mustBeThere({ state, orderId }: OrderRow): boolean {
  const neverThere = state === 'rejected' || state === 'absent' || state === 'unsent';
  return orderId !== undefined || !neverThere;
}

function compareOrder(row: OrderRow, record: OrderRecord, report: DifferenceSink): void {
  const isComplete = record.status === 'COMPLETE';
  const amount = (store: string, exchange: string) =>
    ({ store, exchange, isAmount: true }) as const;
  compareFields(
    { kind: 'order', subject: row.clientOrderId },
    {
      order_id: { store: row.orderId ?? 'not known', exchange: record.order_id },
      pair: { store: row.pair, exchange: record.pair },
      side: { store: row.side === 'BID' ? 'BUY' : 'SELL', exchange: record.side },
      time_in_force: { store: row.timeInForce, exchange: record.time_in_force },
      price: amount(row.price, record.limit_price),
      volume: amount(row.volume, record.limit_volume),
      state: { store: row.state, exchange: stateOf(record) },
      // While an order is open, the store's sums are those of the last read.
      ...(isComplete && isFinal(row.state)
        ? {
            base: amount(row.base, record.base),
            counter: amount(row.counter, record.counter),
            fee_base: amount(row.feeBase, record.fee_base),
            fee_counter: amount(row.feeCounter, record.fee_counter),
          }
        : {}),
    },
    report,
  );
}

/** Returns the state that the exchange's record implies. */
function stateOf(record: OrderRecord): OrderRow['state'] {
  if (record.status !== 'COMPLETE') return 'open';
  return isSameAmount(record.base, record.limit_volume) ? 'filled' : 'cancelled';
}
