/** The history that a simulated exchange keeps when it runs for long, and what it never drops. */
import { describe, expect, test } from 'vitest';
import {
  createSimulator,
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  type Body,
  botKey,
  Caller,
  quietSettings,
  second,
  startMicros,
  testKeys,
} from '../../../../support/simulated-exchange.ts';

const history = { orders: 20, trades: 10, rows: 40 };

function crowded(): { readonly simulator: Simulator; readonly caller: Caller } {
  const settings = { ...quietSettings, history };
  const genesis = { settings, seed: 1, timeMicros: startMicros, keys: testKeys(settings) };
  const simulator = createSimulator(genesis);
  const caller = new Caller(simulator, botKey, startMicros + second);
  return { simulator, caller };
}

/** Places an order and returns its id at the exchange. */
function place(caller: Caller, id: string, price = 900_000, side: 'BID' | 'ASK' = 'BID'): string {
  caller.timeMicros += second;
  return String(caller.place(side, price, '0.001', { client_order_id: id })['order_id']);
}

function stop(caller: Caller, orderId: string): void {
  caller.timeMicros += second;
  caller.post('/api/1/stoporder', { order_id: orderId });
}

function find(caller: Caller, id: string): Body {
  caller.timeMicros += second;
  return caller.get('/api/exchange/3/order', { client_order_id: id });
}

/** Returns the rows of an account from `first` to before `end`. */
function rowsOf(caller: Caller, accountId: string, first: number, end: number) {
  caller.timeMicros += second;
  const range = { min_row: String(first), max_row: String(end) };
  const { transactions } = caller.get(`/api/1/accounts/${accountId}/transactions`, range);
  return transactions as unknown as { readonly row_index: number; readonly balance: string }[];
}

describe('a simulated exchange that runs for long', () => {
  const { simulator, caller } = crowded();
  const open = place(caller, 'stays');
  for (let i = 1; i <= 60; i++) stop(caller, place(caller, `order-${i}`));
  // Self-trades, so that each order is two trades of one user.
  for (let i = 1; i <= 15; i++) {
    place(caller, `maker-${i}`, 950_000, 'ASK');
    place(caller, `taker-${i}`, 950_000, 'BID');
  }

  test('keeps the newest completed orders, and no longer finds older ones', () => {
    expect(find(caller, 'taker-15')['status']).toBe('COMPLETE');
    expect(find(caller, 'order-1')['error_code']).toBe('ErrOrderNotFound');
    expect(simulator.truth('desk').orders.length).toBeLessThanOrEqual(1.1 * history.orders + 1);
    expect(simulator.truth('desk').trades.length).toBeLessThanOrEqual(1.1 * history.trades);
  });

  test('keeps every open order, every balance and the numbers of rows', () => {
    expect(find(caller, 'stays')).toMatchObject({ order_id: open, status: 'PENDING' });
    expect(simulator.faults()).toEqual([]);
    const [xbt] = simulator.truth('desk').accounts;
    const newest = rowsOf(caller, xbt?.id ?? '', -5, 0);
    expect(newest).toHaveLength(5);
    expect(newest[0]?.row_index).toBeGreaterThan(history.rows - 5);
    expect(newest.at(-1)?.balance).toBe(xbt?.balance);
  });

  test('leaves dropped rows out of every requested range', () => {
    const zar = simulator.truth('desk').accounts.find((one) => one.currency === 'ZAR');
    const first = zar?.rows[0]?.row_index ?? 0;
    expect(first).toBeGreaterThan(1);
    const numbers = (from: number, end: number): number[] =>
      rowsOf(caller, zar?.id ?? '', from, end).map((row) => row.row_index);
    expect(numbers(1, first)).toEqual([]);
    expect(numbers(1, first + 2)).toEqual([first, first + 1]);
    expect(numbers(first + 1, first + 3)).toEqual([first + 1, first + 2]);
  });

  test('continues from a snapshot with the same bounds', () => {
    const restored = restoreSimulator(simulator.snapshot(), () => {}, undefined);
    expect(restored.truth('desk').orders).toEqual(simulator.truth('desk').orders);
    const again = new Caller(restored, botKey, caller.timeMicros);
    for (let i = 1; i <= 40; i++) stop(again, place(again, `later-${i}`));
    expect(restored.truth('desk').orders.length).toBeLessThanOrEqual(1.1 * history.orders + 1);
    expect(restored.faults()).toEqual([]);
  });
});
