/** The texts of orders and fills equal the JSON of their rows, whatever members are missing. */
import { expect, test } from 'vitest';
import { RowTexts } from '../../../src/backtest/run/row-text.ts';
import type { FillRow, OrderRow } from '../../../src/domain/records.ts';
import { TrackedOrder } from '../../../src/execution/orders/tracked-order.ts';
import { RowSpill } from '../../../src/store/row-spill.ts';
import { market } from '../risk/open-gate.ts';
import { fillRow, noonMs, orderRow } from '../store/store-samples.ts';

const texts = new RowTexts();
const special = 'é "quoted" \\ \n\u2028 \ud800';

const orders: readonly (readonly [string, OrderRow])[] = [
  ['an open order', orderRow(1)],
  [
    'an order with all members',
    orderRow(2, {
      level: 'bid',
      ambiguous: true,
      base: '0.005',
      counter: '5000.125',
      feeBase: '0.000001',
      feeCounter: '-1.5',
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
  const rows = new RowSpill();
  const order = orderOf(row);
  texts.addOrder(rows, order);
  expect(order.toRow()).toEqual(row);
  expect(textOf(rows)).toBe(jsonOf(row));
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
  const rows = new RowSpill();
  texts.addFill(rows, row);
  expect(textOf(rows)).toBe(jsonOf(row));
});

test('texts of many kinds of orders, each again after the others', () => {
  const orderRows = [0, 1].flatMap(() =>
    Array.from({ length: 100 }, (_, kind) => orderRow(kind, { strategyId: `maker-${kind}` })),
  );
  const rows = new RowSpill();
  for (const row of orderRows) texts.addOrder(rows, orderOf(row));
  expect(textOf(rows)).toBe(orderRows.map(jsonOf).join(''));
});

function orderOf(row: OrderRow): TrackedOrder {
  return TrackedOrder.restore(row, { ...market, priceScale: 0, volumeScale: 8 });
}

/** Returns the long form of the rows. */
function textOf({ text: { bytes, length } }: RowSpill): string {
  const pieces = texts.long([bytes.subarray(0, length)]);
  return Array.from(pieces, (piece) => Buffer.from(piece).toString()).join('');
}

/** Returns the text of a row in a list, after the comma that precedes it. */
function jsonOf(row: object): string {
  return `,\n  ${JSON.stringify(row, null, 1).replaceAll('\n', '\n  ')}`;
}
