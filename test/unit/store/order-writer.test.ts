/** An order that changes again is written only where it changed, and refused as ever. */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { OrderRow } from '../../../src/domain/records.ts';
import { registerDecimalSum } from '../../../src/store/decimal-sum.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { createOrderWriter } from '../../../src/store/order-writer.ts';
import { orderCodec } from '../../../src/store/row-codecs.ts';
import { watchDatabase } from '../../support/watched-database.ts';
import { orderRow } from './store-samples.ts';

let database: Database;
let calls: string[];
let write: (row: OrderRow) => void;

beforeEach(() => {
  database = new SqliteDatabase(':memory:');
  registerDecimalSum(database);
  migrate(database, ':memory:');
  calls = [];
  write = createOrderWriter(watchDatabase(database, (text) => calls.push(text)));
});

afterEach(() => void database.close());

function stored(intentId: number): OrderRow {
  const select = `SELECT ${orderCodec.select()} FROM orders WHERE intent_id = ?`;
  return orderCodec.decode(database.prepare(select).get(intentId));
}

const terms: readonly Partial<OrderRow>[] = [
  { strategyId: 'other' },
  { key: 'other' },
  { pair: 'ETHZAR' },
  { side: 'ASK' },
  { price: '7' },
  { volume: '7' },
  { timeInForce: 'IOC' },
  { postOnly: false },
  { stopDirection: 'ABOVE', stopPrice: '7' },
  { stopDirection: 'BELOW', stopPrice: '7' },
  { pays: '7' },
  { expiresMs: 7 },
  { baseAccountId: '7' },
  { counterAccountId: '7' },
  { clientOrderId: 'other' },
  { createdMs: 7 },
  { orderId: undefined },
];

test('only the columns that changed are written', () => {
  const first = orderRow(1, { state: 'sending', orderId: undefined });
  write(first);
  const second = { ...first, state: 'open', orderId: 'BX1', ambiguous: true } as const;
  write(second);
  expect(calls.slice(1)).toEqual([
    'UPDATE orders SET "state" = ?, "order_id" = ?, "ambiguous" = ? WHERE intent_id = ?',
  ]);
  expect(stored(1)).toEqual(second);
  write({ ...second });
  expect(calls).toHaveLength(2);
});

test('each field that may change is stored', () => {
  const changed = orderRow(1, {
    ...{ level: 'bid', tag: 'a', reason: 'another reason', validUntilMs: 7, state: 'cancelled' },
    ...{ orderId: 'BX7', attempts: 2, lastTimestampMs: 8, lastTtlMs: 9, ambiguous: true },
    ...{ cancelRequestedMs: 10, base: '1', counter: '2', feeBase: '3', feeCounter: '4' },
    completedMs: 11,
  });
  const before = orderRow(1);
  let row = before;
  write(row);
  for (const index of orderCodec.differences(before, changed)) {
    const field = Object.keys(before)[index] as keyof OrderRow;
    row = { ...row, [field]: changed[field] };
    write(row);
    expect(stored(1)).toEqual(row);
  }
  expect(row).toEqual(changed);
  expect(calls).toHaveLength(1 + Object.keys(before).length - terms.length);
});

test.each(terms)('%o of a stored order is refused, also long after it was written', (change) => {
  write(orderRow(1));
  expect(() => write(orderRow(1, change))).toThrow('the terms of an order never change');
  for (let id = 2; id <= 600; id++) write(orderRow(id));
  expect(() => write(orderRow(1, change))).toThrow('the terms of an order never change');
  expect(stored(1)).toEqual(orderRow(1));
});

test('an order is written in full again after five hundred others', () => {
  for (let id = 1; id <= 501; id++) write(orderRow(id));
  calls.length = 0;
  write(orderRow(2, { attempts: 2 }));
  write(orderRow(1, { attempts: 2 }));
  expect(calls.map((text) => text.slice(0, 6))).toEqual(['UPDATE', 'INSERT']);
  expect([stored(1).attempts, stored(2).attempts]).toEqual([2, 2]);
});

test('a change that does not fit its field is refused by name', () => {
  write(orderRow(1));
  expect(() => write(orderRow(1, { base: '1e3' }))).toThrow(/order\.base must be a plain decimal/u);
});

test('a change of an order that another program removed is an error', () => {
  write(orderRow(1));
  database.exec('DROP TRIGGER orders_stay; DELETE FROM orders');
  expect(() => write(orderRow(1, { attempts: 2 }))).toThrow('order 1 is no longer in the database');
});
