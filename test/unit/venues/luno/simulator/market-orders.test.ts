/** Market orders: what they spend or sell, their records, and every refusal. */
import { beforeEach, expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../../../src/venues/luno/api/error-codes.ts';
import type { Simulator } from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  readKey,
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

const market = (values: Readonly<Record<string, string>>) =>
  desk.post('/api/1/marketorder', { pair: 'XBTZAR', ...values });
const buy = (counter: string) => market({ type: 'BUY', counter_volume: counter });
const sell = (base: string) => market({ type: 'SELL', base_volume: base });
const orderOf = (answer: ReturnType<typeof market>) =>
  desk.get('/api/exchange/3/order', { id: answer['order_id'] as string });

test('a buy spends its counter volume level by level and keeps the rest that buys no lot', () => {
  other.place('ASK', 1_000_000, '0.1');
  other.place('ASK', 1_010_000, '0.2');
  // 0.1 at 1000000; the remaining 50001 buy 0.049505 at 1010000; the last 0.95 buy no lot.
  const order = orderOf(buy('150001'));
  expect(order).toMatchObject({
    type: 'MARKET',
    side: 'BUY',
    status: 'COMPLETE',
    base: '0.149505',
    counter: '150000.050000',
    limit_price: '0',
    limit_volume: '0.149505',
    expiration_timestamp: 0,
  });
  expect(order).not.toHaveProperty('time_in_force');
  const zar = desk.get('/api/1/balance', { assets: 'ZAR' })['balance']?.[0];
  expect(zar).toMatchObject({ balance: '9849999.95', reserved: '0.00' });
  // The whole amount is reserved first: trades use the reservation, and the rest is released.
  const path = `/api/1/accounts/${zar?.['account_id']}/transactions`;
  const rows = desk.get(path, { min_row: '2', max_row: '100' })['transactions'];
  expect(rows?.map((row) => [row['balance_delta'], row['available_delta']])).toEqual([
    ['0.00', '-150001.00'],
    ['-100000.00', '0.00'],
    ['-50000.05', '0.00'],
    ['0.00', '0.95'],
  ]);
  expect(simulator.faults()).toEqual([]);
});

test('a sale sells its base volume at the prices of the book', () => {
  other.place('BID', 1_000_000, '0.1');
  other.place('BID', 990_000, '0.1');
  const answer = sell('0.15');
  expect(orderOf(answer)).toMatchObject({ base: '0.150000', counter: '149500.000000' });
  expect(desk.get(`/api/1/orders/${answer['order_id']}`)).toMatchObject({
    type: 'SELL',
    state: 'COMPLETE',
  });
  const trades = desk.get('/api/1/listtrades', { pair: 'XBTZAR' })['trades'];
  expect(trades?.map((one) => [one['type'], one['price']])).toEqual([
    ['ASK', '1000000'],
    ['ASK', '990000'],
  ]);
  expect(simulator.faults()).toEqual([]);
});

test('a market order pays the taker fee, and its trades are one message of the stream', () => {
  const frames: string[] = [];
  const session = simulator.openSession(
    '/api/1/stream/XBTZAR',
    (output) => output.kind === 'frame' && frames.push(output.text),
    startMicros,
  );
  const credentials = { api_key_id: botKey.id, api_key_secret: botKey.secret };
  session?.receive(JSON.stringify(credentials), startMicros);
  other.place('ASK', 1_000_000, '0.1');
  other.place('ASK', 1_000_000, '0.1');
  const before = frames.length;
  expect(orderOf(buy('200000'))).toMatchObject({ fee_base: '0.0002', fee_counter: '0.00' });
  expect(frames).toHaveLength(before + 1);
  expect(frames.at(-1)).toContain('"create_update":null');
});

const cases: readonly [ErrorCode, Record<string, string>, string][] = [
  ['ErrInvalidOrderSide', { type: 'BID', base_volume: '0.1' }, 'a side of limit orders'],
  ['ErrInvalidArguments', { base_volume: '0.1' }, 'no type'],
  ['ErrInvalidCounterVolume', { type: 'BUY' }, 'a buy of nothing'],
  ['ErrInvalidCounterVolume', { type: 'BUY', counter_volume: '0' }, 'a buy for zero'],
  ['ErrInvalidBaseVolume', { type: 'SELL' }, 'a sale of nothing'],
  ['ErrInvalidBaseVolume', { type: 'SELL', base_volume: '0.00' }, 'a sale of zero'],
  ['ErrInvalidBaseVolume', { type: 'BUY', counter_volume: '9', base_volume: '1' }, 'both, to buy'],
  [
    'ErrInvalidCounterVolume',
    { type: 'SELL', counter_volume: '9', base_volume: '1' },
    'both, to sell',
  ],
  ['ErrInvalidValue', { type: 'SELL', base_volume: '1e-1' }, 'an exponent'],
  ['ErrInvalidValue', { type: 'BUY', counter_volume: '-1' }, 'a negative amount'],
  ['ErrVolumeDenominationNotAllowed', { type: 'SELL', base_volume: '0.0100001' }, 'too fine'],
  [
    'ErrCounterDenominationNotAllowed',
    { type: 'BUY', counter_volume: '100.0000001' },
    'too fine a value',
  ],
  ['ErrVolumeTooLow', { type: 'SELL', base_volume: '0.000099' }, 'too little to sell'],
  ['ErrVolumeTooLow', { type: 'BUY', counter_volume: '99' }, 'too little to buy'],
  ['ErrVolumeTooLow', { type: 'BUY', counter_volume: '0.5' }, 'not even a lot'],
  ['ErrVolumeTooHigh', { type: 'SELL', base_volume: '100.000001' }, 'too much to sell'],
  ['ErrValueTooHigh', { type: 'BUY', counter_volume: '10000000000.000001' }, 'too great a value'],
  ['ErrInsufficientBalance', { type: 'SELL', base_volume: '10.000001' }, 'more than there is'],
  ['ErrInsufficientBalance', { type: 'BUY', counter_volume: '10000000.000001' }, 'too expensive'],
  ['ErrNotEnoughLiquidity', { type: 'SELL', base_volume: '3' }, 'more than the book holds'],
  ['ErrNotEnoughLiquidity', { type: 'BUY', counter_volume: '9000000' }, 'more than is offered'],
  ['ErrMarketUnavailable', { pair: 'XBTXXX', type: 'SELL', base_volume: '0.1' }, 'no such market'],
  ['ErrInvalidClientOrderId', { type: 'SELL', base_volume: '0.1', client_order_id: 'ä' }, 'an id'],
  [
    'ErrDeadlineExceeded',
    { type: 'SELL', base_volume: '0.1', timestamp: String(startMicros / 1000 - 6), ttl: '5' },
    'a request too late',
  ],
  [
    'ErrAccountNotFound',
    { type: 'SELL', base_volume: '0.1', base_account_id: '11' },
    'an unknown account',
  ],
];

test.each(cases)('%s for %o: %s', (code, values) => {
  other.place('BID', 1_000_000, '2');
  other.place('ASK', 1_010_000, '2');
  const before = desk.get('/api/1/balance');
  const response = desk.send('POST', '/api/1/marketorder', { pair: 'XBTZAR', ...values });
  expect(JSON.parse(response.body ?? '')).toMatchObject({ error_code: code });
  expect(response.status).toBe(errorCodes[code].status);
  expect(desk.get('/api/1/balance')).toEqual(before);
  expect(simulator.truth('desk').orders).toEqual([]);
});

test.each([
  ['SELL', { base_volume: '0.2' }, 900_000, 899_999],
  ['BUY', { counter_volume: '210000' }, 1_100_000, 1_100_001],
] as const)('a %s for %o may go to %i but not to %i', (type, amount, allowed, tooFar) => {
  const side = type === 'SELL' ? 'BID' : 'ASK';
  other.place(side, 1_000_000, '0.1');
  const far = other.place(side, tooFar, '1')['order_id'] as string;
  expect(market({ type, ...amount })['error_code']).toBe('ErrNotEnoughLiquidity');
  other.post('/api/1/stoporder', { order_id: far });
  other.place(side, allowed, '1');
  expect(market({ type, ...amount })['order_id']).toMatch(/^BX/u);
});

test('a used client_order_id is a conflict, whichever kind of order used it', () => {
  other.place('BID', 1_000_000, '1');
  const named = { type: 'SELL', base_volume: '0.1', client_order_id: 'one' };
  expect(market(named)['order_id']).toMatch(/^BX/u);
  expect(desk.send('POST', '/api/1/marketorder', { pair: 'XBTZAR', ...named }).status).toBe(409);
  expect(desk.place('BID', 900_000, '0.1', { client_order_id: 'one' })['error_code']).toBe(
    'ErrDuplicateClientOrderID',
  );
});

test('zeros and empty texts, as real clients send them, mean that a parameter is not given', () => {
  other.place('BID', 1_000_000, '1');
  const zeros = {
    counter_volume: '0',
    base_account_id: '0',
    counter_account_id: '0',
    timestamp: '0',
    ttl: '0',
    leverage: '0',
    client_order_id: '',
  };
  expect(market({ type: 'SELL', base_volume: '0.1', ...zeros })['order_id']).toMatch(/^BX/u);
});

test('a post-only market refuses market orders, and so does the exchange for a read-only key', () => {
  other.place('BID', 1_000_000, '1');
  const values = { pair: 'XBTZAR', type: 'SELL', base_volume: '0.1' };
  const reader = new Caller(simulator, readKey);
  expect(reader.post('/api/1/marketorder', values)['error_code']).toBe('ErrInsufficientPerms');
  simulator.control({ kind: 'set-status', pair: 'XBTZAR', status: 'POST_ONLY' }, startMicros);
  expect(market(values)['error_code']).toBe('ErrPostOnlyMode');
});

test('the trades of a market order trigger stop orders', () => {
  other.place('BID', 990_000, '1');
  const stop = desk.place('ASK', 980_000, '0.1', { stop_price: '990000', stop_direction: 'BELOW' });
  expect(sell('0.1')['order_id']).toMatch(/^BX/u);
  expect(orderOf(stop)).toMatchObject({ status: 'COMPLETE', base: '0.100000' });
});
