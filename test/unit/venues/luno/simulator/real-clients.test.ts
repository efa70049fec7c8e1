/** What real clients send and expect, and what a strict exchange refuses of it. */
import { expect, test } from 'vitest';
import {
  bodyOf,
  botKey,
  Caller,
  quietSettings,
  second,
  simulatorFor,
} from '../../../../support/simulated-exchange.ts';

const setUp = ({ isStrict = false } = {}) => {
  const simulator = simulatorFor(quietSettings);
  simulator.isStrict = isStrict;
  return { simulator, desk: new Caller(simulator, botKey) };
};

const order = { pair: 'XBTZAR', type: 'BID', volume: '0.001', price: '900000' };

test.each([
  ['all networks', 'GET', '/api/1/send/networks', {}],
  ['a limit of zero', 'GET', '/api/1/listorders', { limit: '0' }],
  ['an empty pair', 'GET', '/api/1/listorders', { pair: '' }],
  ['a boolean of Python', 'GET', '/api/exchange/2/listorders', { closed: 'True' }],
  ['a time to live of zero', 'POST', '/api/1/postorder', { ...order, ttl: '0' }],
])('%s is accepted, and refused strictly', (_, method, path, values) => {
  expect(setUp().desk.send(method, path, values).status).toBe(200);
  expect(setUp({ isStrict: true }).desk.send(method, path, values).status).toBe(400);
});

test('a strict exchange accepts what the documents describe', () => {
  const { desk } = setUp({ isStrict: true });
  expect(
    desk.send('POST', '/api/1/postorder', { ...order, ttl: '1', timestamp: '1795176000000' })
      .status,
  ).toBe(200);
  expect(desk.send('GET', '/api/1/listorders', { limit: '1000' }).status).toBe(200);
  expect(desk.send('GET', '/api/1/send/networks', { currency: 'XBT' }).status).toBe(200);
});

test('send networks without a currency lists every network', () => {
  const { desk } = setUp();
  const ids = desk.get('/api/1/send/networks')['networks']?.map(({ id }) => id);
  expect(ids?.length).toBeGreaterThan(10);
});

test.each([
  ['GET', '/api/1/withdrawals/', '/api/1/withdrawals', {}],
  ['GET', '/api/1/XBTZAR/ticker', '/api/1/ticker', { pair: 'XBTZAR' }],
  ['GET', '/api/1/XBTZAR/orderbook', '/api/1/orderbook', { pair: 'XBTZAR' }],
  ['GET', '/api/1/XBTZAR/trades', '/api/1/trades', { pair: 'XBTZAR' }],
  ['GET', '/api/1/XBTZAR/listorders', '/api/1/listorders', { pair: 'XBTZAR' }],
])('%s %s answers as %s, with a notice, and not strictly', (method, old, path, values) => {
  const { desk } = setUp();
  const { status, body, notice } = desk.send(method, old);
  const present = desk.send(method, path, values);
  expect({ status, body }).toEqual({ status: present.status, body: present.body });
  expect(notice).toContain(`is deprecated: use ${method} ${path}`);
  expect(present.notice).toBeUndefined();
  expect(setUp({ isStrict: true }).desk.send(method, old).status).toBe(404);
});

test('an order at an earlier address trades in the pair of the address', () => {
  const { desk } = setUp();
  const { pair: _, ...rest } = order;
  const { order_id: id } = desk.post('/api/1/XBTZAR/postorder', rest);
  expect(desk.get(`/api/1/orders/${id}`)['pair']).toBe('XBTZAR');
});

test('an unknown path of the wallet document answers with its error record', () => {
  const { desk } = setUp();
  const answer = desk.send('GET', '/api/wallet/1/nothing');
  expect(answer.status).toBe(404);
  expect(bodyOf(answer)).toEqual({ errorCode: 'ErrResourceNotFound', message: expect.any(String) });
  expect(desk.send('GET', '/api/1/nothing').body).toBeUndefined();
});

test('old messages of the user stream are dropped without a new one, and before a snapshot', () => {
  const { simulator, desk } = setUp();
  const size = simulator.snapshot().length;
  for (let index = 0; index < 200; index++) {
    const { order_id: id } = desk.place('BID', 900_000, '0.001');
    desk.post('/api/1/stoporder', { order_id: id ?? '' });
    desk.timeMicros += second;
  }
  const full = simulator.snapshot().length;
  simulator.pause(desk.timeMicros + 400 * second);
  // Four messages an order.
  expect(full - simulator.snapshot().length).toBeGreaterThan(200 * 4 * 200);
  expect(full).toBeGreaterThan(size);
});

test('the truth in pieces is the truth, and that of the moment of the question', () => {
  const { simulator, desk } = setUp();
  for (let index = 0; index < 1_200; index++) {
    desk.place('BID', 900_000, '0.0001');
    desk.timeMicros += second;
  }
  const { simulator: other } = setUp();
  expect(JSON.parse([...other.truthPieces('desk')].join('')).orders).toEqual([]);
  const pieces = simulator.truthPieces('desk');
  const truth = JSON.parse(JSON.stringify(simulator.truth('desk')));
  desk.post('/api/1/stoporder', { order_id: truth.orders[0].order_id });
  const read = [...pieces];
  expect(JSON.parse(read.join(''))).toEqual(truth);
  expect(Math.max(...read.map((piece) => piece.length))).toBeLessThan(500_000);
});
