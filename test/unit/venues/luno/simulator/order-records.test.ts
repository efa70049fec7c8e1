/** The older operations that read orders, and the archive, which applies to all of them. */
import { beforeEach, expect, test } from 'vitest';
import type { Simulator } from '../../../../../src/venues/luno/simulator/world/simulator.ts';
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
const day = 86_400 * second;
let simulator: Simulator;
let desk: Caller;
let other: Caller;

beforeEach(() => {
  simulator = simulatorFor(quietSettings);
  desk = new Caller(simulator, botKey);
  other = new Caller(simulator, otherKey);
});

const list = (values: Readonly<Record<string, string>> = {}) =>
  desk.get('/api/1/listorders', values)['orders']?.map((one) => one['order_id']);

test('the original record has the captured fields, and leverage only in getorder', () => {
  const id = desk.place('ASK', 1_459_000, '0.001')['order_id'] as string;
  const record = {
    order_id: id,
    pair: 'XBTZAR',
    type: 'ASK',
    state: 'PENDING',
    time_in_force: 'GTC',
    limit_price: '1459000',
    limit_volume: '0.001000',
    base: '0.000000',
    counter: '0.000000',
    fee_base: '0.00',
    fee_counter: '0.00',
    creation_timestamp: startMs,
    completed_timestamp: 0,
    expiration_timestamp: 0,
  };
  expect(desk.get('/api/1/listorders')).toEqual({ orders: [record] });
  expect(desk.get(`/api/1/orders/${id}`)).toEqual({ ...record, leverage: 0 });
});

test('a cancelled order has an expiration time, a filled order has none', () => {
  const filled = desk.place('BID', 1_000_000, '0.1')['order_id'] as string;
  other.place('ASK', 1_000_000, '0.1');
  const cancelled = desk.place('BID', 1_000_000, '0.1')['order_id'] as string;
  desk.timeMicros = startMicros + second;
  desk.post('/api/1/stoporder', { order_id: cancelled });
  const times = (id: string) => {
    const {
      state,
      completed_timestamp: end,
      expiration_timestamp: expiry,
    } = desk.get(`/api/1/orders/${id}`);
    return [state, end, expiry];
  };
  expect(times(filled)).toEqual(['COMPLETE', startMs, 0]);
  expect(times(cancelled)).toEqual(['COMPLETE', startMs + 1000, startMs + 1000]);
});

test('orders are listed newest first, by state, pair and time, up to a limit', () => {
  const ids: string[] = [];
  for (let i = 0; i < 4; i++) {
    desk.timeMicros = startMicros + i * second;
    ids.push(desk.place('BID', 1_000_000 + i, '0.01')['order_id'] as string);
  }
  desk.post('/api/1/stoporder', { order_id: ids[1] as string });
  expect(list()).toEqual([ids[3], ids[2], ids[1], ids[0]]);
  expect(list({ state: 'PENDING' })).toEqual([ids[3], ids[2], ids[0]]);
  expect(list({ state: 'COMPLETE' })).toEqual([ids[1]]);
  expect(list({ limit: '2' })).toEqual([ids[3], ids[2]]);
  expect(list({ created_before: String(startMs + 2000) })).toEqual([ids[1], ids[0]]);
  expect(list({ pair: 'ETHXBT' })).toEqual([]);
  expect(list({ margin_only: 'true' })).toEqual([]);
  expect(list({ margin_only: 'false', limit: '0', created_before: '0', pair: '' })).toHaveLength(4);
  const refused = (values: Record<string, string>) =>
    desk.get('/api/1/listorders', values)['error_code'];
  expect(refused({ limit: '1001' })).toBe('ErrLimitOutOfRange');
  expect(refused({ limit: '-1' })).toBe('ErrLimitOutOfRange');
  expect(refused({ state: 'AWAITING' })).toBe('ErrInvalidArguments');
});

test('a list has 100 orders by default, and 1000 at most', () => {
  for (let i = 0; i < 150; i++) desk.place('BID', 1_000_000, '0.001');
  expect(list()).toHaveLength(100);
  desk.timeMicros = startMicros + 60 * second;
  expect(list({ limit: '1000' })).toHaveLength(150);
});

test.each(['/api/1/orders/', '/api/exchange/2/orders/'])(
  '%s finds only orders of the caller',
  (path) => {
    const id = desk.place('BID', 1_000_000, '0.1')['order_id'] as string;
    expect(desk.get(`${path}${id}`)['order_id']).toBe(id);
    expect(other.get(`${path}${id}`)['error_code']).toBe('ErrOrderNotFound');
    expect(desk.send('GET', `${path}BX0000000000000`).status).toBe(404);
    expect(desk.get(`${path}no%20order`)['error_code']).toBe('ErrInvalidOrderRef');
    // A real client repeats the id of the path in the query.
    expect(desk.get(`${path}${id}`, { id })['order_id']).toBe(id);
  },
);

test('version 2 of getorder answers the same record as version 3', () => {
  const id = desk.place('BID', 1_000_000, '0.1', { client_order_id: 'mine' })['order_id'] as string;
  const record = desk.get('/api/exchange/3/order', { id });
  expect(desk.get(`/api/exchange/2/orders/${id}`)).toEqual(record);
  expect(record).toMatchObject({ client_order_id: 'mine', leverage: 0, stop_direction: '' });
});

test('a complete order is archived after 100 days, an open order never', () => {
  const open = desk.place('BID', 900_000, '0.1')['order_id'] as string;
  const named = { client_order_id: 'mine' };
  const done = desk.place('BID', 900_000, '0.1', named)['order_id'] as string;
  desk.post('/api/1/stoporder', { order_id: done });
  const closed = () => desk.get('/api/exchange/2/listorders', { closed: 'true' })['orders'];
  const found = (id: string) => [
    desk.get(`/api/1/orders/${id}`)['error_code'],
    desk.get(`/api/exchange/2/orders/${id}`)['error_code'],
    desk.get('/api/exchange/3/order', { id })['error_code'],
  ];
  desk.timeMicros = startMicros + 100 * day;
  expect(found(done)).toEqual([undefined, undefined, undefined]);
  expect(closed()).toHaveLength(1);
  desk.timeMicros += 1000;
  const none = 'ErrOrderNotFound';
  expect(found(done)).toEqual([none, none, none]);
  expect(desk.get('/api/exchange/3/order', named)['error_code']).toBe(none);
  expect(closed()).toEqual([]);
  expect(list()).toEqual([open]);
  expect(found(open)).toEqual([undefined, undefined, undefined]);
  // The id of an archived order stays used.
  expect(desk.place('BID', 900_000, '0.1', named)['error_code']).toBe('ErrDuplicateClientOrderID');
});
