/** Compares the store's orders with the exchange's. */
import { amountOf, formatAmount } from '../domain/amount.ts';
import { decimalOf, formatDecimal } from '../domain/money.ts';
import { isFinal } from '../domain/order.ts';
import type { OrderRow } from '../domain/records.ts';
import type { OrderView } from '../venue/venue-reply.ts';
import { amounts, compareFields, type DifferenceSink } from './difference.ts';

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
  atExchange: readonly OrderView[],
  report: DifferenceSink,
): OrderComparison {
  const byClientId = new Map(stored.map((row) => [row.clientOrderId, row]));
  const seen = new Map<string, string>();
  for (const view of atExchange) {
    const { clientOrderId: subject, orderId } = view;
    const before = seen.get(subject);
    if (before !== undefined)
      report({
        kind: 'order',
        subject,
        field: 'number of orders with this id',
        store: '1',
        exchange: `2: ${before} and ${orderId}`,
      });
    seen.set(subject, orderId);
    const row = byClientId.get(subject);
    if (row === undefined)
      report({ kind: 'order', subject, field: 'order', store: null, exchange: orderId });
    else compareOrder(row, view, report);
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

function compareOrder(row: OrderRow, view: OrderView, report: DifferenceSink): void {
  const { sums } = view;
  compareFields(
    { kind: 'order', subject: row.clientOrderId },
    {
      orderId: { store: row.orderId ?? 'not known', exchange: view.orderId },
      pair: { store: row.pair, exchange: view.pair },
      side: { store: row.side, exchange: view.side },
      ...(row.pays === undefined && view.type !== 'market'
        ? { timeInForce: { store: row.timeInForce, exchange: view.timeInForce ?? 'none' } }
        : { type: { store: row.pays === undefined ? 'limit' : 'market', exchange: view.type } }),
      ...(row.pays === undefined
        ? {
            price: amounts(row.price, view.price),
            volume: amounts(row.volume, view.volume),
          }
        : {}),
      stop: { store: stopOfRow(row), exchange: stopOfView(view) },
      state: { store: row.state, exchange: stateOf(view, row) },
      // While an order is open, the store's sums are those of the last read.
      ...(view.isEnded && isFinal(row.state)
        ? {
            base: amounts(row.base, sums.base),
            counter: amounts(row.counter, sums.counter),
            feeBase: amounts(row.feeBase, sums.feeBase),
            feeCounter: amounts(row.feeCounter, sums.feeCounter),
          }
        : {}),
    },
    report,
  );
}

function stopOfRow({ stopDirection, stopPrice }: OrderRow): string {
  return stopDirection === undefined || stopPrice === undefined
    ? 'none'
    : `${stopDirection} ${formatDecimal(decimalOf(stopPrice))}`;
}

function stopOfView({ stop }: OrderView): string {
  return stop === undefined ? 'none' : `${stop.direction} ${formatAmount(stop.price)}`;
}

function stateOf({ isEnded, sums, volume }: OrderView, row: OrderRow): OrderRow['state'] {
  if (!isEnded) return 'open';
  // The record of a market order only shows what it traded: a sale is whole at its own volume.
  if (row.pays !== undefined && row.side === 'BID') return sums.base > 0n ? 'filled' : 'cancelled';
  const whole = row.pays === undefined ? volume : amountOf(row.volume);
  return sums.base === whole ? 'filled' : 'cancelled';
}
