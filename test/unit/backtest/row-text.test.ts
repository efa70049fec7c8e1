/** The texts of orders and fills equal the JSON of their rows, whatever members are missing. */
import { expect, test } from 'vitest';
import { fillTextOf, orderTextOf, rowIndent } from '../../../src/backtest/run/row-text.ts';
import type { FillRow, OrderRow } from '../../../src/domain/records.ts';
import { fillRow, noonMs, orderRow } from '../store/store-samples.ts';

const special = 'é "quoted" \\ \n\u2028 \ud800';

const orders: readonly (readonly [string, OrderRow])[] = [
  ['an open order', orderRow(1)],
  [
    'an order with all members',
    orderRow(2, {
      level: 'bid',
      ambiguous: true,
      cancelRequestedMs: noonMs + 1.5,
      completedMs: noonMs + 2,
      state: 'cancelled',
    }),
  ],
  [
    'an order that was never sent',
    orderRow(3, { orderId: undefined, lastTimestampMs: undefined, lastTtlMs: undefined }),
  ],
  [
    'texts with special characters',
    orderRow(4, {
      strategyId: special,
      key: special,
      level: special,
      baseAccountId: special,
      counterAccountId: special,
      clientOrderId: special,
      reason: special,
      orderId: special,
    }),
  ],
];

test.each(orders)('%s', (_, row) => {
  expect(orderTextOf(row)).toBe(jsonOf(row));
});

const fills: readonly (readonly [string, FillRow])[] = [
  ['a fill', fillRow('1')],
  ['a fill of a taker', fillRow('2', { side: 'ASK', maker: false, intentId: 2 ** 40 })],
  [
    'texts with special characters',
    fillRow(special, { strategyId: special, orderId: special, pair: 'ETHZAR' }),
  ],
];

test.each(fills)('%s', (_, row) => {
  expect(fillTextOf(row)).toBe(jsonOf(row));
});

function jsonOf(row: object): string {
  return JSON.stringify(row, null, 1).replaceAll('\n', `\n${rowIndent}`);
}
