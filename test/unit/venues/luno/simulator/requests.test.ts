/**
 * Checks of every request before its handler (route, key, call limit, permission, format), and the
 * headers of every answer.
 */
import { expect, test } from 'vitest';
import { simulatorRequestOf } from '../../../../../src/venues/luno/simulator/server/http-request.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  readKey,
  second,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

const order = { pair: 'XBTZAR', type: 'BID', price: '1000000', volume: '0.01' };

test.each([
  ['GET', '/api/1/time'],
  ['GET', '/'],
  ['POST', '/api/1/ticker'],
  ['GET', '/api/1/accounts//transactions'],
])('%s %s is a 404 without a body', (method, path) => {
  const { status, body, headers } = new Caller(simulatorFor(quietSettings), botKey).send(
    method,
    path,
  );
  expect([status, body]).toEqual([404, undefined]);
  expect(headers['x-ratelimit-limit']).toBeUndefined();
});

test('without credentials the answer is 401 in plain text', () => {
  const response = new Caller(simulatorFor(quietSettings), undefined).send('GET', '/api/1/balance');
  expect([response.status, response.body]).toEqual([401, 'Unauthorized\n']);
});

test.each([
  ['unknown', { id: 'sim_nobody', secret: 'x' }],
  ['wrong in its secret', { id: botKey.id, secret: 'x' }],
])('a key that is %s is not found', (_, key) => {
  const response = new Caller(simulatorFor(quietSettings), key).send('GET', '/api/1/balance');
  expect(response.status).toBe(401);
  expect(response.body).toBe(
    '{"error":"API key not found","error_code":"ErrAPIKeyNotFound","message":"API key not found","error_action":{}}',
  );
});

test('a revoked key is refused from then on', () => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  expect(caller.send('GET', '/api/1/balance').status).toBe(200);
  simulator.control({ kind: 'revoke-key', keyId: botKey.id }, startMicros);
  expect(caller.send('GET', '/api/1/balance').status).toBe(401);
  expect(caller.get('/api/1/balance')['error_code']).toBe('ErrApiKeyRevoked');
});

test('a key without the permission is refused before its parameters are read', () => {
  const caller = new Caller(simulatorFor(quietSettings), readKey);
  expect(caller.send('GET', '/api/1/balance').status).toBe(200);
  const refused = caller.send('POST', '/api/1/postorder', {});
  expect(refused.status).toBe(403);
  expect(refused.body).toContain('ErrInsufficientPerms');
});

test('parameters of a POST are read from the query or the form, never from JSON', () => {
  const simulator = simulatorFor(quietSettings);
  const request = {
    method: 'POST',
    path: '/api/1/postorder',
    pairs: Object.entries(order),
    credentials: botKey,
  };
  for (const bodyKind of ['none', 'form'] as const)
    expect(simulator.handle({ ...request, bodyKind }, startMicros).status).toBe(200);
  const refused = simulator.handle({ ...request, bodyKind: 'other' }, startMicros);
  expect(refused.body).toContain('ErrInvalidParameters');
  expect(simulator.truth('desk').orders).toHaveLength(2);
});

test('if a parameter is in both the query and the form, the form counts', () => {
  const simulator = simulatorFor(quietSettings);
  const request = simulatorRequestOf({
    method: 'POST',
    url: '/api/1/postorder?price=950000&volume=0.02',
    address: '127.0.0.1',
    authorization: `Basic ${btoa(`${botKey.id}:${botKey.secret}`)}`,
    headers: {},
    body: { kind: 'form', text: 'pair=XBTZAR&type=BID&price=900000' },
  });
  expect(simulator.handle(request, startMicros).status).toBe(200);
  const { orders } = new Caller(simulator, botKey).get('/api/1/listorders', {});
  expect(orders).toMatchObject([{ limit_price: '900000', limit_volume: '0.020000' }]);
});

test('the offending fields of invalid arguments are listed', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  expect(caller.post('/api/1/postorder', { type: 'BID' })).toMatchObject({
    error_code: 'ErrInvalidArguments',
    fields: ['pair', 'volume', 'price'],
  });
});

test('public market data without a pair answers that the market is not available', () => {
  const caller = new Caller(simulatorFor(quietSettings), undefined);
  for (const path of ['/api/1/ticker', '/api/1/orderbook', '/api/1/orderbook_top']) {
    expect(caller.get(path)['error_code']).toBe('ErrMarketUnavailable');
    expect(caller.get(path, { pair: 'NOPE' })['error_code']).toBe('ErrMarketUnavailable');
  }
});

test('300 calls pass in any 60 seconds; the next is refused and not counted', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  for (let i = 0; i < 300; i++) {
    caller.timeMicros = startMicros + i * 100_000;
    const { status, headers } = caller.send('GET', '/api/1/balance');
    expect([status, headers['x-ratelimit-remaining']]).toEqual([200, String(299 - i)]);
  }
  const refused = caller.send('GET', '/api/1/balance');
  expect(refused.status).toBe(429);
  expect(refused.body).toContain('ErrTooManyRequests');
  expect(refused.headers['x-ratelimit-reset']).toBe('31');
  expect(caller.send('GET', '/api/1/ticker', { pair: 'XBTZAR' }).status).toBe(200);
  caller.timeMicros = startMicros + 60 * second;
  expect(caller.send('GET', '/api/1/balance').status).toBe(200);
  expect(caller.send('GET', '/api/1/balance').status).toBe(429);
});

test('a call limit applies to all keys of one customer, and to no other customer', () => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  for (let i = 0; i < 301; i++) caller.send('GET', '/api/1/balance');
  expect(caller.send('GET', '/api/1/balance').status).toBe(429);
  expect(new Caller(simulator, readKey).send('GET', '/api/1/balance').status).toBe(429);
  expect(new Caller(simulator, otherKey).send('GET', '/api/1/balance').status).toBe(200);
});

test('market data reports its limit like the real exchange, with and without success', () => {
  const caller = new Caller(simulatorFor(quietSettings), undefined);
  for (const [pair, status] of [
    ['XBTZAR', 200],
    ['NOPE', 400],
  ] as const) {
    const answer = caller.send('GET', '/api/1/ticker', { pair });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      'x-ratelimit-limit': '5000, 5000;w=1',
      'x-ratelimit-remaining': status === 200 ? '4999' : '4998',
    });
  }
});

test('every answer has its own trace id, and every run has the same ids', () => {
  const ids = () => {
    const caller = new Caller(simulatorFor(quietSettings), botKey);
    return ['/api/1/ticker', '/api/1/balance', '/none'].map(
      (path) => caller.send('GET', path).headers['x-luno-trace-id'],
    );
  };
  const first = ids();
  expect(new Set(first).size).toBe(3);
  for (const id of first) expect(id).toMatch(/^[0-9a-f]{32}$/u);
  expect(ids()).toEqual(first);
});

test('refusals of operations with a key have an error_action, those of market data do not', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  expect(caller.post('/api/1/stoporder', { order_id: 'BXNONE' })['error_action']).toEqual({});
  expect(caller.get('/api/1/ticker', { pair: 'NOPE' })).not.toHaveProperty('error_action');
});

test('every answer has the time of the exchange in whole seconds as its date', () => {
  const caller = new Caller(simulatorFor(quietSettings), undefined, startMicros + 1_999_999);
  for (const path of ['/api/exchange/1/markets', '/api/1/balance', '/none'])
    expect(caller.send('GET', path).headers['date']).toBe('Fri, 20 Nov 2026 12:00:01 GMT');
});

test('market data may be up to a second old, as its headers say', () => {
  const simulator = simulatorFor(quietSettings);
  const desk = new Caller(simulator, botKey);
  const bids = () => desk.get('/api/1/orderbook_top', { pair: 'XBTZAR' })['bids']?.length;
  expect(bids()).toBe(0);
  desk.place('BID', 1_000_000, '0.01');
  desk.timeMicros = startMicros + 999_000;
  expect(bids()).toBe(0);
  desk.timeMicros = startMicros + 1_000_000;
  expect(bids()).toBe(1);
  const { headers } = desk.send('GET', '/api/1/ticker', { pair: 'XBTZAR' });
  expect(headers['cache-control']).toBe('public, max-age=1');
});

test('the order book is aggregated by price, or listed order by order, with 18 decimals', () => {
  const desk = new Caller(simulatorFor(quietSettings), botKey);
  for (const volume of ['0.01', '0.02']) desk.place('BID', 1_000_000, volume);
  desk.place('BID', 999_000, '0.03');
  desk.place('ASK', 1_001_000, '0.04');
  const read = (path: string) => desk.get(path, { pair: 'XBTZAR' });
  const level = (price: string, volume: string) => ({
    price: `${price}.${'0'.repeat(18)}`,
    volume: `${volume}${'0'.repeat(16)}`,
  });
  expect(read('/api/1/orderbook_top')).toMatchObject({
    bids: [level('1000000', '0.03'), level('999000', '0.03')],
    asks: [level('1001000', '0.04')],
  });
  expect(read('/api/1/orderbook')['bids']).toEqual([
    level('1000000', '0.01'),
    level('1000000', '0.02'),
    level('999000', '0.03'),
  ]);
});

test('the ticker has the best prices, the last trade and the volume of 24 hours', () => {
  const desk = new Caller(simulatorFor(quietSettings), botKey);
  const ticker = () => desk.get('/api/1/ticker', { pair: 'XBTZAR' });
  expect(ticker()).toMatchObject({
    bid: '0.00',
    ask: '0.00',
    last_trade: '0.00',
    status: 'ACTIVE',
  });
  desk.place('ASK', 1_001_000, '0.04');
  desk.place('BID', 1_001_000, '0.01');
  desk.place('BID', 999_000, '0.01');
  desk.timeMicros = startMicros + second;
  expect(ticker()).toMatchObject({
    bid: '999000',
    ask: '1001000',
    last_trade: '1001000',
    rolling_24_hour_volume: '0.010000',
    timestamp: startMicros / 1000,
  });
  desk.timeMicros = startMicros + 86_460 * second;
  expect(ticker()['rolling_24_hour_volume']).toBe('0.000000');
});

test('all markets, or the requested ones, are listed with their rules', () => {
  const caller = new Caller(simulatorFor(quietSettings), undefined);
  const markets = (values = {}) => caller.get('/api/exchange/1/markets', values)['markets'];
  expect(markets()?.map((market) => market['market_id'])).toEqual(['XBTZAR', 'ETHXBT']);
  expect(markets({ pair: ['ETHXBT', 'NOPE'] })).toEqual([
    {
      market_id: 'ETHXBT',
      trading_status: 'ACTIVE',
      base_currency: 'ETH',
      counter_currency: 'XBT',
      min_volume: '0.0010',
      max_volume: '1000.0000',
      volume_scale: 4,
      min_price: '0.00100',
      max_price: '10.00000',
      price_scale: 5,
      fee_scale: 8,
    },
  ]);
});
