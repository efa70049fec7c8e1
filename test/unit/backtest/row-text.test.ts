/** The texts of orders and fills equal the JSON of their rows, whatever members are missing. */
import { expect, test } from 'vitest';
import { RowTexts } from '../../../src/backtest/run/row-text.ts';
import type { FillRow, OrderRow } from '../../../src/domain/records.ts';
import { JsonBytes } from '../../../src/store/json-bytes.ts';
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
  const text = new JsonBytes(1);
  texts.addOrder(text, row);
  expect(textOf(text)).toBe(jsonOf(row));
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
  const text = new JsonBytes(1);
  texts.addFill(text, row);
  expect(textOf(text)).toBe(jsonOf(row));
});

test('texts of many kinds of orders, each again after the others', () => {
  const rows = [0, 1].flatMap(() =>
    Array.from({ length: 100 }, (_, kind) => orderRow(kind, { strategyId: `maker-${kind}` })),
  );
  const text = new JsonBytes(1);
  for (const row of rows) texts.addOrder(text, row);
  expect(textOf(text)).toBe(rows.map(jsonOf).join(''));
});

function textOf({ bytes, length }: JsonBytes): string {
  return bytes.toString('utf8', 0, length);
}

/** Returns the text of a row in a list, after the comma that precedes it. */
function jsonOf(row: object): string {
  return `,\n  ${JSON.stringify(row, null, 1).replaceAll('\n', '\n  ')}`;
}
