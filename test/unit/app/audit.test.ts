/** The audit reads every open order, however many pages they fill. */
import { expect, test } from 'vitest';
import { audit } from '../../../src/app/audit.ts';
import type { OrderRecord } from '../../../src/interface/operations/orders.ts';
import { MemoryStore } from '../../support/memory-store.ts';

const pageSize = 1000;

/** An exchange with these orders, given by the millisecond in which each was made, newest first. */
function exchangeWith(createdMs: readonly number[]) {
  const orders = createdMs.map(
    (creation_timestamp, i) =>
      ({
        order_id: `BX${i}`,
        client_order_id: i % 2 === 0 ? `b1-ours2222-${i}` : `foreign-${i}`,
        creation_timestamp,
      }) as OrderRecord,
  );
  let calls = 0;
  return {
    calls: () => calls,
    listtrades: async () => ({ trades: [] }),
    balance: async () => ({ balance: [] }),
    listOrdersV2: async ({
      created_before: before = Infinity,
    }: {
      created_before?: number | undefined;
    }) => {
      calls++;
      const older = orders.filter((order) => order.creation_timestamp < before);
      return { orders: older.slice(0, pageSize) };
    },
  };
}

test.each([
  ['none', []],
  ['a page', Array.from({ length: 1000 }, (_, i) => 5000 - i)],
  [
    'three pages, three orders in each millisecond',
    Array.from({ length: 2800 }, (_, i) => 5000 - Math.floor(i / 3)),
  ],
  ['a page that is one millisecond', [...Array(1000).fill(5000), 4000, 3000]],
])('finds %s of open orders, each once', async (_name, createdMs) => {
  const exchange = exchangeWith(createdMs);
  const found = await audit({
    client: exchange,
    reports: new MemoryStore().reports,
    namespace: 'ours2222',
    accounts: {},
    pairs: new Map(),
  });
  expect(found.openOrders).toBe(Math.ceil(createdMs.length / 2));
  expect(exchange.calls()).toBeLessThanOrEqual(4);
});
