/** Reads an account from an exchange: every list to its end, and all of it of one moment. */
import { describe, expect, test } from 'vitest';
import { readLedger, readOrders, readTrades } from '../../../src/audit/exchange-account.ts';
import { readExchange } from '../../../src/audit/reconciliation.ts';
import {
  type WireAnswers,
  wireEntry,
  wireOrder,
  wireReader,
  wireTrade,
} from '../../support/wire-reader.ts';

const pageSize = 1000;

/** The paged lists of an exchange; the entries have only the fields that are read. */
class Account {
  orders: { id: string; createdMs: number; isOpen: boolean }[] = [];
  trades: { sequence: bigint; of: string }[] = [];
  rows: { balance: string }[] = [];
  /** Called at each read of the balances, before the answer. */
  onBalance = (): void => {};

  readonly answers: WireAnswers = {
    balance: async () => {
      this.onBalance();
      const balance = this.rows.at(-1)?.balance ?? '0';
      return { balance: [{ account_id: '11', asset: 'XBT', balance, reserved: '0' }] } as never;
    },
    transactions: async ({ min_row, max_row }) => {
      const [from, to] = [Number(min_row), Number(max_row)];
      const rows = this.rows.map(({ balance }, at) => wireEntry({ row_index: at + 1, balance }));
      const found = rows.filter((row) => row.row_index >= from && row.row_index < to);
      return { id: '11', transactions: found };
    },
    listOrdersV2: async ({ closed = false, created_before, limit = 100 }) => {
      const found = this.orders
        .filter((one) => one.isOpen !== closed && one.createdMs < (created_before ?? Infinity))
        .sort((a, b) => b.createdMs - a.createdMs)
        .slice(0, limit)
        .map(({ id, createdMs }) =>
          wireOrder({ order_id: `BX-${id}`, client_order_id: id, creation_timestamp: createdMs }),
        );
      return { orders: found };
    },
    listtrades: async ({ after_seq = '0', limit = 100 }) => {
      const found = this.trades
        .filter(({ sequence }) => sequence >= BigInt(after_seq))
        .slice(0, limit)
        .map(({ sequence, of }) =>
          wireTrade({ sequence: String(sequence), order_id: `BX-${of}`, client_order_id: of }),
        );
      return { trades: found };
    },
  };
  readonly reader = wireReader(this.answers);
}

const ours = 'b1-test-';
const options = {
  namespace: 'test',
  accounts: { XBT: '11' },
  pairs: new Map([['XBTZAR', { base: 'XBT', counter: 'ZAR' }]]),
};

describe('every list is read to its end', () => {
  test.each([0, 1, pageSize - 1, pageSize, pageSize + 1, 2 * pageSize, 2_345])(
    'with %i entries, each once',
    async (count) => {
      const account = new Account();
      // Some orders were created in the same millisecond, also at the edge of a page.
      for (let i = 0; i < count; i++) {
        account.orders.push({ id: `${ours}${i}`, createdMs: Math.floor(i / 3), isOpen: false });
        account.trades.push({ sequence: 2n ** 60n + BigInt(i), of: `${ours}${i}` });
        account.rows.push({ balance: String(i) });
      }
      account.orders.push({ id: `${ours}open`, createdMs: 9, isOpen: true });
      account.orders.push({ id: 'b1-other-1', createdMs: 9, isOpen: true });
      const orders = await readOrders(account.reader, ours);
      expect(orders).toHaveLength(count + 1);
      expect(new Set(orders.map((one) => one.orderId)).size).toBe(count + 1);
      expect(await readTrades(account.reader, 'XBTZAR', { prefix: ours })).toHaveLength(count);
      const rows = await readLedger(account.reader, '11');
      expect(rows.map(({ row }) => row)).toEqual(account.rows.map((_, index) => index + 1));
    },
  );
});

test('a list that always returns its first page ends', async () => {
  const account = new Account();
  for (let i = 0; i < pageSize; i++)
    account.orders.push({ id: `${ours}${i}`, createdMs: pageSize - i, isOpen: false });
  const circular = wireReader({
    listOrdersV2: async ({ closed }) =>
      account.answers.listOrdersV2?.({ closed, limit: pageSize }) as never,
  });
  expect(await readOrders(circular, ours)).toHaveLength(pageSize);
});

describe('the records are of one moment', () => {
  test('a fill during a read is read again, with its row and its balance', async () => {
    const account = new Account();
    account.rows = [{ balance: '1' }];
    let reads = 0;
    account.onBalance = () => {
      if (++reads > 1) return;
      account.trades.push({ sequence: 7n, of: `${ours}1` }, { sequence: 8n, of: 'by hand' });
      account.rows.push({ balance: '1.01' });
    };
    const read = await readExchange(account.reader, options);
    expect(reads).toBe(2);
    expect(read.trades.map((trade) => trade.sequence)).toEqual(['7']);
    expect(read.ledgers.get('11')).toHaveLength(2);
    expect(read.balances.get('11')).toBe('1.01');
  });

  test('an order that ends during a read is read again', async () => {
    const account = new Account();
    account.orders = [{ id: `${ours}1`, createdMs: 1, isOpen: true }];
    let reads = 0;
    account.onBalance = () => {
      reads++;
      account.orders = [];
    };
    expect((await readExchange(account.reader, options)).orders).toEqual([]);
    expect(reads).toBe(2);
  });

  test('an account that changes during every read is not compared', async () => {
    const account = new Account();
    account.onBalance = () => void account.rows.push({ balance: String(account.rows.length + 1) });
    await expect(readExchange(account.reader, options)).rejects.toThrow(
      /changed during each of 5/u,
    );
  });
});
