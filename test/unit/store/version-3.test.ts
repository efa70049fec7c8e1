/** The rebuilt table of orders: the same rows, the same refusals, fewer indexes. */
import SqliteDatabase, { type Database } from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { orderTransitions } from '../../../src/domain/order.ts';
import { registerDecimalSum } from '../../../src/store/decimal-sum.ts';
import { migrate } from '../../../src/store/migrate.ts';
import { version1 } from '../../../src/store/migrations/version-1.ts';
import { version2 } from '../../../src/store/migrations/version-2.ts';
import { version3 } from '../../../src/store/migrations/version-3.ts';
import { settledMs, unfinished } from '../../../src/store/schema.ts';
import { noonMs } from './store-samples.ts';

let database: Database;

beforeEach(() => {
  database = new SqliteDatabase(':memory:');
  registerDecimalSum(database);
});

afterEach(() => void database.close());

const allSteps = [version1, version2, version3];
const states = Object.keys(orderTransitions);

type Values = Readonly<Record<string, string | number | null>>;

function insertOrder(id: number, change: Values = {}): void {
  const row: Values = {
    ...{ intent_id: id, strategy_id: 'mm', key: `k${id}`, level: null, pair: 'XBTZAR' },
    ...{ side: 'BID', price: '1000000', volume: '0.01', time_in_force: 'GTC', post_only: 1 },
    ...{ base_account_id: '9007199254740993', counter_account_id: '13' },
    ...{ client_order_id: `test-${id}`, reason: 'quote', created_ms: noonMs + id },
    ...{ valid_until_ms: noonMs, state: 'open', order_id: `BX${id}`, attempts: 1 },
    ...{ last_timestamp_ms: noonMs, last_ttl_ms: 2000, ambiguous: 0, cancel_requested_ms: null },
    ...{ base: '0', counter: '0', fee_base: '0', fee_counter: '0', completed_ms: null },
    ...change,
  };
  const names = Object.keys(row);
  database
    .prepare(`INSERT INTO orders (${names.join()}) VALUES (${names.map((name) => `@${name}`)})`)
    .run(row);
}

const orders = () => database.prepare('SELECT * FROM orders ORDER BY intent_id').all();

test('every row of version 2 is the same in version 3, with the rows that refer to it', () => {
  migrate(database, ':memory:', [version1, version2]);
  for (const [index, state] of states.entries())
    insertOrder(index + 1, {
      ...{ state, level: index % 2 === 0 ? null : 'near', side: index % 3 === 0 ? 'BID' : 'ASK' },
      ...{ order_id: index % 4 === 0 ? null : `BX${index}`, completed_ms: index || null },
      time_in_force: ['GTC', 'IOC', 'FOK'][index % 3] ?? '',
    });
  database.exec(`INSERT INTO evidence VALUES (1, 3, 5, 'open', 'seen')`);
  const before = orders();
  expect(before).toHaveLength(states.length);
  // An upgrade checks references only at its end.
  database.pragma('foreign_keys = OFF');
  database.transaction(() => database.exec(version3.statements))();
  expect(orders()).toEqual(before);
  expect(database.pragma('foreign_key_check')).toEqual([]);
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
});

test.each<[string, Values]>([
  ['a state', { state: 'lost' }],
  ['a side', { side: 'BUY' }],
  ['a time in force', { time_in_force: 'DAY' }],
  ['a flag', { post_only: 2 }],
  ['another flag', { ambiguous: -1 }],
  ['a key that is used', { key: 'k1' }],
  ['a client order id that is used', { client_order_id: 'test-1' }],
])('%s that the table must refuse is refused as before', (_what, change) => {
  migrate(database, ':memory:', allSteps);
  insertOrder(1);
  expect(() => insertOrder(2, change)).toThrow(/constraint failed/u);
});

test('each state is accepted, and no order can be deleted', () => {
  migrate(database, ':memory:', allSteps);
  for (const [index, state] of states.entries()) insertOrder(index, { state });
  expect(() => database.exec('DELETE FROM orders')).toThrow('an order is never deleted');
});

test.each([
  ['state of unfinished orders', unfinished, 'orders_by_state'],
  ['time of settled orders', `${settledMs} >= 7`, 'INDEX orders_settled'],
  ['id of the exchange', `order_id = 'BX7'`, 'orders_by_order_id'],
  ['absence of a level', 'level IS NULL', 'orders_placed'],
])('orders are found by the %s with an index', (_what, condition, index) => {
  migrate(database, ':memory:', allSteps);
  const plan = database
    .prepare<[], { detail: string }>(
      `EXPLAIN QUERY PLAN SELECT intent_id FROM orders WHERE ${condition}`,
    )
    .all();
  expect(plan.map(({ detail }) => detail).join()).toContain(index);
});
