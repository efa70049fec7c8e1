/** Compares the store's fills with the exchange's list of trades. */
import { formatAmount } from '../domain/amount.ts';
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { FillRow, OrderRow } from '../domain/records.ts';
import type { TradeView } from '../venue/venue-reply.ts';
import { amounts, compareFields, type DifferenceSink } from './difference.ts';

/** Reports every fill that only one side has, and every field that differs. */
export function compareFills(
  stored: readonly FillRow[],
  atExchange: readonly TradeView[],
  report: DifferenceSink,
): void {
  const trades = new Map(atExchange.map((trade) => [subjectOf(trade), trade]));
  const fills = new Map(stored.map((fill) => [subjectOf(fill), fill]));
  for (const [subject, trade] of trades)
    if (!fills.has(subject))
      report({
        kind: 'fill',
        subject,
        field: 'fill',
        store: null,
        exchange: `${trade.side} ${formatAmount(trade.volume)} at ${formatAmount(trade.price)} of ${trade.clientOrderId}`,
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
  trade: TradeView,
  report: DifferenceSink,
): void {
  const { sums } = trade;
  compareFields(
    { kind: 'fill', subject },
    {
      side: { store: fill.side, exchange: trade.side },
      price: amounts(fill.price, trade.price),
      volume: amounts(fill.volume, trade.volume),
      base: amounts(fill.base, sums.base),
      counter: amounts(fill.counter, sums.counter),
      feeBase: amounts(fill.feeBase, sums.feeBase),
      feeCounter: amounts(fill.feeCounter, sums.feeCounter),
      timestamp: { store: String(fill.tradedMs), exchange: String(trade.atMs) },
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

function subjectOf(trade: {
  readonly pair: string;
  readonly sequence: string;
  readonly orderId: string;
}): string {
  return `${trade.pair} ${trade.sequence} ${trade.orderId}`;
}
