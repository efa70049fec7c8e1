/** Stop-limit orders: their trigger, their reservation, and their execution. */
import { beforeEach, expect, test } from 'vitest';
import { decodeUserFrame } from '../../../../../src/venues/luno/api/user-messages.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

let simulator: Simulator;
let desk: Caller;
let other: Caller;

beforeEach(() => {
  simulator = simulatorFor(quietSettings);
  desk = new Caller(simulator, botKey);
  other = new Caller(simulator, otherKey);
});

/** Trades at a price and leaves nothing in the book. */
function trade(price: number, caller = other): void {
  caller.place('ASK', price, '0.01');
  caller.place('BID', price, '0.01');
}

const stopOrder = (
  type: 'BID' | 'ASK',
  price: number,
  stop: readonly [direction: string, price: number],
  more: Readonly<Record<string, string>> = {},
): string =>
  desk.place(type, price, '0.1', {
    stop_direction: stop[0],
    stop_price: String(stop[1]),
    ...more,
  })['order_id'] as string;
const orderOf = (id: string) => desk.get('/api/exchange/3/order', { id });
const statusOf = (id: string) => orderOf(id)['status'];
const reserved = (asset: string) =>
  desk.get('/api/1/balance', { assets: asset })['balance']?.[0]?.['reserved'];

test('a stop order waits outside the book and reserves its funds from the start', () => {
  const id = stopOrder('BID', 1_000_000, ['ABOVE', 990_000]);
  expect(orderOf(id)).toMatchObject({
    status: 'AWAITING',
    type: 'STOP_LIMIT',
    stop_direction: 'ABOVE',
    stop_price: '990000',
    base: '0.000000',
    time_in_force: 'GTC',
  });
  expect(reserved('ZAR')).toBe('100000.00');
  expect(desk.get('/api/1/orderbook', { pair: 'XBTZAR' })['bids']).toEqual([]);
  expect(desk.get(`/api/1/orders/${id}`)['state']).toBe('PENDING');
  expect(simulator.faults()).toEqual([]);
});

test.each([
  ['ABOVE', 990_000, 989_999, 990_000],
  ['ABOVE', 990_000, 980_000, 995_000],
  ['BELOW', 990_000, 990_001, 990_000],
  ['BELOW', 990_000, 999_000, 985_000],
])(
  '%s %i waits at a trade of %i and triggers at a trade of %i',
  (direction, stop, before, after) => {
    const id = stopOrder('BID', 900_000, [direction, stop]);
    trade(before);
    expect(statusOf(id)).toBe('AWAITING');
    trade(after);
    expect(statusOf(id)).toBe('PENDING');
    expect(desk.get('/api/1/orderbook', { pair: 'XBTZAR' })['bids']).toHaveLength(1);
    expect(simulator.faults()).toEqual([]);
  },
);

test.each([
  [1_000_000, 1_000_001, 'ABOVE'],
  [1_000_000, 999_999, 'BELOW'],
])('relative to a last trade of %i, a stop at %i means %s', (last, stop, direction) => {
  trade(last);
  const id = stopOrder('BID', 900_000, ['RELATIVE_LAST_TRADE', stop]);
  expect(orderOf(id)).toMatchObject({ stop_direction: direction, status: 'AWAITING' });
});

test('a stop whose price the last trade has already reached does not wait', () => {
  trade(1_000_000);
  const id = stopOrder('BID', 900_000, ['RELATIVE_LAST_TRADE', 1_000_000]);
  expect(orderOf(id)).toMatchObject({ stop_direction: 'BELOW', status: 'PENDING' });
});

test('a triggered order trades like any other, and its trades trigger further orders', () => {
  trade(1_000_000);
  other.place('BID', 995_000, '0.1');
  other.place('BID', 990_000, '0.1');
  const second = stopOrder('ASK', 980_000, ['BELOW', 995_000]);
  const first = stopOrder('ASK', 980_000, ['BELOW', 999_000]);
  trade(999_000);
  expect(orderOf(first)).toMatchObject({ status: 'COMPLETE', counter: '99500.000000' });
  expect(orderOf(second)).toMatchObject({ status: 'COMPLETE', counter: '99000.000000' });
  expect(reserved('XBT')).toBe('0.00');
  expect(simulator.faults()).toEqual([]);
});

test('orders that one trade triggers enter the book in the order in which they were placed', () => {
  const ids = [
    stopOrder('BID', 900_000, ['ABOVE', 990_000]),
    stopOrder('BID', 900_000, ['BELOW', 991_000]),
    stopOrder('BID', 900_000, ['ABOVE', 980_000]),
  ];
  trade(990_500);
  other.place('ASK', 900_000, '0.1');
  expect(ids.map(statusOf)).toEqual(['COMPLETE', 'PENDING', 'PENDING']);
  other.place('ASK', 900_000, '0.1');
  expect(ids.map(statusOf)).toEqual(['COMPLETE', 'COMPLETE', 'PENDING']);
});

test('a triggered order queues behind the orders that are already in the book', () => {
  const stop = stopOrder('BID', 900_000, ['ABOVE', 990_000]);
  const resting = desk.place('BID', 900_000, '0.1')['order_id'] as string;
  trade(990_000);
  const restored = restoreSimulator(simulator.snapshot());
  for (const one of [simulator, restored]) {
    new Caller(one, otherKey).place('ASK', 900_000, '0.1');
    const caller = new Caller(one, botKey);
    const status = (id: string) => caller.get('/api/exchange/3/order', { id })['status'];
    expect([status(resting), status(stop)]).toEqual(['COMPLETE', 'PENDING']);
  }
});

test('a post-only order that would trade when triggered is cancelled and releases its funds', () => {
  other.place('ASK', 1_000_000, '1');
  const id = stopOrder('BID', 1_000_000, ['ABOVE', 990_000], { post_only: 'true' });
  expect(statusOf(id)).toBe('AWAITING');
  trade(990_000);
  expect(orderOf(id)).toMatchObject({ status: 'COMPLETE', base: '0.000000' });
  expect(orderOf(id)['expiration_timestamp']).toBe(startMicros / 1000);
  expect(reserved('ZAR')).toBe('0.00');
});

test.each([
  ['IOC', '0.050000'],
  ['FOK', '0.000000'],
])('a triggered %s order buys %s of the half that is offered', (timeInForce, base) => {
  other.place('ASK', 1_000_000, '0.05');
  const id = stopOrder('BID', 1_000_000, ['BELOW', 990_000], { time_in_force: timeInForce });
  trade(990_000, other);
  expect(orderOf(id)).toMatchObject({ status: 'COMPLETE', base });
  expect(simulator.faults()).toEqual([]);
});

test('a waiting order can be listed, found and cancelled, and then never triggers', () => {
  const id = stopOrder('BID', 900_000, ['ABOVE', 990_000], { client_order_id: 'mine' });
  const open = desk.get('/api/exchange/2/listorders')['orders'];
  expect(open?.map((one) => one['order_id'])).toEqual([id]);
  expect(desk.get('/api/exchange/3/order', { client_order_id: 'mine' })['order_id']).toBe(id);
  expect(desk.post('/api/1/stoporder', { order_id: id })).toEqual({ success: true });
  expect(statusOf(id)).toBe('COMPLETE');
  expect(reserved('ZAR')).toBe('0.00');
  trade(990_000);
  expect(statusOf(id)).toBe('COMPLETE');
  expect(desk.get('/api/1/orderbook', { pair: 'XBTZAR' })['bids']).toEqual([]);
});

test('the user stream reports AWAITING, PENDING and COMPLETE', () => {
  const statuses: string[] = [];
  const session = simulator.openSession(
    '/api/1/userstream',
    (output) => {
      const message = output.kind === 'frame' ? decodeUserFrame(output.text) : undefined;
      if (message?.kind === 'order-status') statuses.push(message.update.status);
    },
    startMicros,
  );
  const credentials = { api_key_id: botKey.id, api_key_secret: botKey.secret };
  session?.receive(JSON.stringify(credentials), startMicros);
  stopOrder('BID', 900_000, ['ABOVE', 990_000]);
  trade(990_000);
  other.place('ASK', 900_000, '0.1');
  expect(statuses).toEqual(['AWAITING', 'PENDING', 'COMPLETE']);
});

test('the market stream does not show a stop order before its trigger', () => {
  const frames: string[] = [];
  const session = simulator.openSession(
    '/api/1/stream/XBTZAR',
    (output) => output.kind === 'frame' && frames.push(output.text),
    startMicros,
  );
  const credentials = { api_key_id: botKey.id, api_key_secret: botKey.secret };
  session?.receive(JSON.stringify(credentials), startMicros);
  const id = stopOrder('BID', 900_000, ['ABOVE', 990_000]);
  const stopped = stopOrder('BID', 900_000, ['ABOVE', 990_000]);
  desk.post('/api/1/stoporder', { order_id: stopped });
  expect(frames).toHaveLength(1);
  trade(990_000);
  expect(frames.at(-1)).toContain(`"create_update":{"order_id":"${id}"`);
});

test('a waiting order needs its funds and is refused without them', () => {
  const answer = desk.place('BID', 1_000_000, '10.000001', {
    stop_price: '990000',
    stop_direction: 'ABOVE',
  });
  expect(answer['error_code']).toBe('ErrInsufficientBalance');
});

test('waiting orders still wait after a restart', () => {
  const id = stopOrder('BID', 900_000, ['ABOVE', 990_000]);
  const restored = restoreSimulator(simulator.snapshot());
  const caller = new Caller(restored, botKey);
  trade(990_000, new Caller(restored, otherKey));
  expect(caller.get('/api/exchange/3/order', { id })['status']).toBe('PENDING');
  expect(restored.faults()).toEqual([]);
});
