/** Compares the store's fills with the exchange's list of trades. */
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillRow, OrderRow } from '../domain/records.ts';
import type { UserTrade } from '../venues/luno/api/operations/order-operations.ts';
import { compareFields, type DifferenceSink } from './difference.ts';

/** Reports every fill that only one side has, and every field that differs. */
export function compareFills(
  stored: readonly FillRow[],
  atExchange: readonly UserTrade[],
  report: DifferenceSink,
): void {
  const trades = new Map(
    atExchange.map((trade) => [subjectOf({ ...trade, orderId: trade.order_id }), trade]),
  );
  const fills = new Map(stored.map((fill) => [subjectOf(fill), fill]));
  for (const [subject, trade] of trades)
    if (!fills.has(subject))
      report({
        kind: 'fill',
        subject,
        field: 'fill',
        store: null,
        exchange: `${trade.type} ${trade.volume} at ${trade.price} of ${trade.client_order_id}`,
      });
  for (const [subject, fill] of fills) {
    const trade = trades.get(subject);
    if (trade === undefined)
      report({
        kind: 'fill',
        subject,
        field: 'fill',
        store: `${fill.side} ${fill.volume} at ${fill.price}`,
        exchange: null,
      });
    else compareFill(subject, fill, trade, report);
  }
}

function compareFill(
  subject: string,
  fill: FillRow,
  trade: UserTrade,
  report: DifferenceSink,
): void {
  const amount = (store: string, exchange: string) =>
    ({ store, exchange, isAmount: true }) as const;
  compareFields(
    { kind: 'fill', subject },
    {
      side: { store: fill.side, exchange: isBuy(trade) ? 'BID' : 'ASK' },
      price: amount(fill.price, trade.price),
      volume: amount(fill.volume, trade.volume),
      base: amount(fill.base, trade.base),
      counter: amount(fill.counter, trade.counter),
      fee_base: amount(fill.feeBase, trade.fee_base),
      fee_counter: amount(fill.feeCounter, trade.fee_counter),
      timestamp: { store: String(fill.tradedMs), exchange: String(trade.timestamp) },
    },
    report,
  );
}

/** Reports every final order whose fills do not add up to its sums at the exchange. */
export function compareSums(
  orders: readonly OrderRow[],
  fills: readonly FillRow[],
  report: DifferenceSink,
): void {
  const byIntent = Map.groupBy(fills, ({ intentId }) => intentId);
  for (const order of orders) {
    if (order.state !== 'filled' && order.state !== 'cancelled') continue;
    const own = byIntent.get(order.intentId) ?? [];
    for (const field of ['base', 'counter', 'feeBase', 'feeCounter'] as const) {
      const sum = own.reduce((total, fill) => total.plus(decimalOf(fill[field])), new Decimal(0));
      if (sum.eq(decimalOf(order[field]))) continue;
      report({
        kind: 'order',
        subject: order.clientOrderId,
        field: `sum of ${field} over its fills`,
        store: formatDecimal(sum),
        exchange: order[field],
      });
    }
  }
}

/** Returns whether we bought; the exchange uses two names for each side. */
export function isBuy({ type }: UserTrade): boolean {
  return type === 'BID' || type === 'BUY';
}

function subjectOf(trade: {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
}): string {
  return `${trade.pair} ${trade.sequence} ${trade.orderId}`;
}
