/** Ledger rows, balances, order lists and trade lists, with the rules of their parameters. */
import { beforeEach, expect, test } from 'vitest';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  second,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

const startMs = startMicros / 1000;
let simulator: ReturnType<typeof simulatorFor>;
let desk: Caller;
let other: Caller;

beforeEach(() => {
  simulator = simulatorFor(quietSettings);
  desk = new Caller(simulator, botKey);
  other = new Caller(simulator, otherKey);
});

const accountId = (currency: string) =>
  simulator.truth('desk').accounts.find((one) => one.currency === currency)?.id ?? '';
const rows = (currency: string, minRow: number, maxRow: number) =>
  desk.get(`/api/1/accounts/${accountId(currency)}/transactions`, {
    min_row: String(minRow),
    max_row: String(maxRow),
  });

test('a trade is one row in each account, after the row of the reservation', () => {
  const orderId = desk.place('BID', 1_000_000, '0.1')['order_id'];
  other.place('ASK', 1_000_000, '0.1');
  const [deposit, reserved, paid] = rows('ZAR', 1, 100)['transactions'] ?? [];
  expect(deposit).toMatchObject({ row_index: 1, kind: 'TRANSFER', balance_delta: '10000000.00' });
  expect(reserved).toMatchObject({
    row_index: 2,
    kind: 'EXCHANGE',
    reference: orderId,
    balance_delta: '0.00',
    available_delta: '-100000.00',
  });
  expect(paid).toMatchObject({
    row_index: 3,
    balance_delta: '-100000.00',
    available_delta: '0.00',
    balance: '9900000.00',
    available: '9900000.00',
    account_id: accountId('ZAR'),
    currency: 'ZAR',
    detail_fields: {
      trade_details: { pair: 'XBTZAR', price: '1000000', sequence: 1, volume: '0.100000' },
    },
  });
  const received = rows('XBT', 2, 3)['transactions']?.[0];
  expect(received).toMatchObject({ balance_delta: '0.09995', available_delta: '0.09995' });
});

test('a cancel releases the reservation in its own row', () => {
  const id = desk.place('BID', 1_000_000, '0.1')['order_id'] as string;
  desk.post('/api/1/stoporder', { order_id: id });
  expect(rows('ZAR', -1, 0)['transactions']?.[0]).toMatchObject({
    row_index: 3,
    balance_delta: '0.00',
    available_delta: '100000.00',
    available: '10000000.00',
  });
});

test.each([
  [1, 3, [1, 2]],
  [2, 1000, [2, 3, 4, 5]],
  [-2, 0, [4, 5]],
  [-100, 0, [1, 2, 3, 4, 5]],
  [-3, -1, [3, 4]],
  [4, 0, [4, 5]],
  [3, 3, []],
  [6, 9, []],
  [5, 2, []],
])('of five rows, %i to %i are %j', (minRow, maxRow, expected) => {
  for (let i = 0; i < 4; i++) desk.place('BID', 1_000_000, '0.1');
  const found = rows('ZAR', minRow, maxRow)['transactions'];
  expect(found?.map((row) => row['row_index'])).toEqual(expected);
});

test('more than a thousand rows are refused, a thousand are not', () => {
  expect(rows('ZAR', 1, 1002)['error_code']).toBe('ErrTooManyRowsRequested');
  expect(rows('ZAR', 1, 1001)['transactions']).toHaveLength(1);
});

test('the ledger of another user is not found', () => {
  const id = accountId('ZAR');
  const path = `/api/1/accounts/${id}/transactions`;
  expect(other.get(path, { min_row: '1', max_row: '2' })['error_code']).toBe('ErrAccountNotFound');
  expect(desk.get(path, { min_row: '1' })['error_code']).toBe('ErrInvalidArguments');
});

test('account ids have 19 digits; they are text in balances and integers in orders', () => {
  const id = desk.place('BID', 1_000_000, '0.1')['order_id'] as string;
  const text = desk.send('GET', '/api/exchange/3/order', { id }).body ?? '';
  expect(accountId('XBT')).toMatch(/^\d{19}$/u);
  expect(text).toContain(`"base_account_id":${accountId('XBT')},`);
  expect(desk.send('GET', '/api/1/balance').body).toContain(`"account_id":"${accountId('XBT')}"`);
});

test('an order without a stop has the stop price 0 on the wire', () => {
  const id = desk.place('BID', 1_000_000, '0.1')['order_id'] as string;
  for (const [path, values] of [
    ['/api/exchange/3/order', { id }],
    [`/api/exchange/2/orders/${id}`, {}],
  ] as const)
    expect(desk.get(path, values)).toMatchObject({ stop_price: '0', stop_direction: '' });
});

test('balances are filtered by currency and account type', () => {
  const assets = (values: Record<string, string | string[]>) =>
    desk.get('/api/1/balance', values)['balance']?.map((one) => one['asset']);
  expect(assets({})).toEqual(['XBT', 'ZAR', 'ETH']);
  expect(assets({ assets: ['ETH', 'XBT'] })).toEqual(['XBT', 'ETH']);
  expect(assets({ 'assets[0]': 'ETH', 'assets[1]': 'ZAR' })).toEqual(['ZAR', 'ETH']);
  expect(assets({ account_type: 'SPOT' })).toEqual([]);
  expect(desk.send('GET', '/api/1/balance', { assets: 'XBT,ETH' }).status).toBe(400);
});

test('open or closed orders are listed newest first, before a time, up to a limit', () => {
  const ids: unknown[] = [];
  for (let i = 0; i < 4; i++) {
    desk.timeMicros = startMicros + i * second;
    ids.push(desk.place('BID', 1_000_000 + i, '0.01')['order_id']);
  }
  desk.post('/api/1/stoporder', { order_id: ids[1] as string });
  const list = (values: Record<string, string> = {}) =>
    desk.get('/api/exchange/2/listorders', values)['orders']?.map((one) => one['order_id']);
  expect(list()).toEqual([ids[3], ids[2], ids[0]]);
  expect(list({ limit: '2' })).toEqual([ids[3], ids[2]]);
  expect(list({ closed: 'true' })).toEqual([ids[1]]);
  expect(list({ created_before: String(startMs + 2000) })).toEqual([ids[0]]);
  expect(list({ pair: 'ETHXBT' })).toEqual([]);
  expect(desk.get('/api/exchange/2/listorders', { limit: '1001' })['error_code']).toBe(
    'ErrLimitOutOfRange',
  );
});

test('version 3 of getorder needs exactly one id that is not empty', () => {
  const named = { client_order_id: 'mr-1' };
  const id = desk.place('BID', 1_000_000, '0.1', named)['order_id'] as string;
  const get = (values: Record<string, string>) => desk.get('/api/exchange/3/order', values);
  expect(get({ id, client_order_id: '' })['client_order_id']).toBe('mr-1');
  expect(get({ id: '', ...named })['order_id']).toBe(id);
  expect(get({})['error_code']).toBe('ErrInvalidArguments');
  expect(get({ id, ...named })['error_code']).toBe('ErrInvalidArguments');
  expect(get({ client_order_id: 'mr-2' })['error_code']).toBe('ErrOrderNotFound');
  expect(other.get('/api/exchange/3/order', { id })['error_code']).toBe('ErrOrderNotFound');
});

test('trades are listed by time and sequence, with the bounds as documented', () => {
  for (let i = 0; i < 5; i++) {
    desk.timeMicros = startMicros + i * second;
    desk.place('ASK', 1_000_000, '0.01');
    other.timeMicros = desk.timeMicros;
    other.place('BID', 1_000_000, '0.01');
  }
  const list = (values: Record<string, string> = {}) =>
    desk
      .get('/api/1/listtrades', { pair: 'XBTZAR', ...values })
      ['trades']?.map((t) => t['sequence']);
  expect(list()).toEqual([1, 2, 3, 4, 5]);
  expect(list({ sort_desc: 'true', limit: '2' })).toEqual([5, 4]);
  expect(list({ limit: '2' })).toEqual([1, 2]);
  expect(list({ after_seq: '2', before_seq: '4' })).toEqual([2, 3]);
  expect(list({ since: String(startMs + 3000) })).toEqual([4, 5]);
  expect(list({ before: String(startMs + 3000) })).toEqual([3, 2, 1]);
  // Go clients send false for "not given".
  expect(list({ before: String(startMs + 3000), sort_desc: 'false' })).toEqual([3, 2, 1]);
  expect(list({ sort_desc: 'false' })).toEqual([1, 2, 3, 4, 5]);
  expect(desk.get('/api/1/listtrades', { pair: 'XBTXXX' })['error_code']).toBe(
    'ErrMarketUnavailable',
  );
});

test('fee info reports the rates and the volume of thirty days up to midnight', () => {
  desk.place('ASK', 1_000_000, '0.5');
  other.place('BID', 1_000_000, '0.5');
  const fees = () => desk.get('/api/1/fee_info', { pair: 'XBTZAR' });
  expect(fees()).toMatchObject({
    maker_fee: '0.0005',
    taker_fee_sell: '0.0010',
    thirty_day_volume: '0.000000',
  });
  desk.timeMicros = startMicros + 86_400 * second;
  expect(fees()['thirty_day_volume']).toBe('0.500000');
});
