/** The audit: open orders, the newest fills, and balances with the account's other flows. */
import { expect, test } from 'vitest';
import { audit } from '../../../src/audit/audit.ts';
import type { UserTrade } from '../../../src/venues/luno/api/operations/order-operations.ts';
import { MemoryStore } from '../../support/memory-store.ts';
import { type WireAnswers, wireOrder, wireReader } from '../../support/wire-reader.ts';
import { fill, fillRow, ledger, order } from '../store/store-samples.ts';

const pageSize = 1000;

/** An exchange with orders created at these times in milliseconds, newest first. */
function exchangeWith(createdMs: readonly number[]) {
  const orders = createdMs.map((creation_timestamp, i) =>
    wireOrder({
      order_id: `BX${i}`,
      client_order_id: i % 2 === 0 ? `b1-ours2222-${i}` : `foreign-${i}`,
      creation_timestamp,
    }),
  );
  let calls = 0;
  const answers: WireAnswers = {
    listtrades: async () => ({ trades: [] }),
    balance: async () => ({ balance: [] }),
    listOrdersV2: async ({ created_before: before = Infinity }) => {
      calls++;
      const older = orders.filter((order) => order.creation_timestamp < before);
      return { orders: older.slice(0, pageSize) };
    },
  };
  return { calls: () => calls, answers };
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
    venue: wireReader(exchange.answers),
    reports: new MemoryStore().reports,
    namespace: 'ours2222',
    accounts: {},
    pairs: new Map(),
  });
  expect(found.openOrders).toBe(Math.ceil(createdMs.length / 2));
  expect(exchange.calls()).toBeLessThanOrEqual(4);
});

/** The exchange's trade of the sample fill. */
function tradeOf(sequence: string): UserTrade {
  const row = fillRow(sequence);
  return {
    ...{ sequence, pair: row.pair, order_id: row.orderId, client_order_id: 'b1-ours2222-1' },
    ...{ type: row.side, is_buy: false, price: row.price, volume: row.volume, base: row.base },
    ...{ counter: row.counter, fee_base: row.feeBase, fee_counter: row.feeCounter },
    timestamp: row.tradedMs,
  } as unknown as UserTrade;
}

/** An exchange with trades of these sequences. */
function tradesAt(sequences: readonly number[]) {
  const asked: string[] = [];
  const answers: WireAnswers = {
    ...exchangeWith([]).answers,
    listtrades: async ({ after_seq: after = '1' }) => {
      asked.push(after);
      const later = sequences.filter((sequence) => sequence >= Number.parseInt(after, 10));
      return { trades: later.slice(0, pageSize).map((sequence) => tradeOf(String(sequence))) };
    },
  };
  return { asked, answers };
}

const auditedFillsMax = 10_000;
const pair = { base: 'XBT', counter: 'ZAR' };

test('compares only the newest fills when there are very many', async () => {
  const count = auditedFillsMax + 500;
  const sequences = Array.from({ length: count }, (_, index) => 3 * index + 7);
  const store = new MemoryStore();
  store.commit([order(1), ...sequences.map((sequence) => fill(String(sequence)))], 1);
  const { reports } = store;
  const pairs = new Map([['XBTZAR', pair]]);
  const options = { reports, namespace: 'ours2222', accounts: {}, pairs };
  const exchange = tradesAt(sequences);
  const found = await audit({ ...options, venue: wireReader(exchange.answers) });
  expect(found).toMatchObject({ fillsInAll: count, positionDifference: '0', differences: [] });
  expect(found.fills).toBe(auditedFillsMax - 1);
  expect(found.fillsAtExchange).toBe(found.fills);
  expect(exchange.asked.length).toBeLessThanOrEqual(auditedFillsMax / pageSize + 1);
  // A fill among them that the exchange lacks is found.
  const lacking = await audit({
    ...options,
    venue: wireReader(tradesAt(sequences.slice(0, -1)).answers),
  });
  expect(lacking.differences).toHaveLength(1);
  expect(lacking.positionDifference).toBe('-0.001');
});

test('fills of a pair that is no longer traded are not a difference, nor are their balances', async () => {
  const store = new MemoryStore();
  const old = { pair: 'ETHZAR', orderId: 'BX9' };
  store.commit(
    [
      order(1, { pair: 'ETHZAR' }),
      fill('5', old),
      ledger(1, { accountId: '13', currency: 'ZAR', balance: '5000', balanceDelta: '5000' }),
      ledger(2, {
        ...{ accountId: '13', currency: 'ZAR', balance: '4000', balanceDelta: '-1000' },
        ...{ pair: 'ETHZAR', sequence: '5' },
      }),
    ],
    1,
  );
  const balance = [{ account_id: '13', balance: '4000', reserved: '0' }];
  const found = await audit({
    venue: wireReader({ ...tradesAt([]).answers, balance: async () => ({ balance }) as never }),
    reports: store.reports,
    namespace: 'ours2222',
    accounts: { ZAR: '13' },
    pairs: new Map([['XBTZAR', pair]]),
  });
  expect(found).toMatchObject({ balanceDifference: '0', positionDifference: '0' });
  expect(found.differences).toEqual([]);
});
