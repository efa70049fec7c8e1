/**
 * Every refusal of postorder and stoporder by the simulated exchange, and their order.
 */
import { expect, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../../../../src/venues/luno/api/error-codes.ts';
import { limitRevisions } from '../../../../../src/venues/luno/api/limits.ts';
import type { SimulatorSettings } from '../../../../../src/venues/luno/simulator/core/simulator-settings.ts';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  simulatorFor,
  startMicros,
} from '../../../../support/simulated-exchange.ts';

const startMs = startMicros / 1000;
const good = { pair: 'XBTZAR', type: 'BID', price: '1000000', volume: '0.01' };
const account = (simulator: ReturnType<typeof simulatorFor>, user: string, currency: string) =>
  simulator.truth(user).accounts.find((one) => one.currency === currency)?.id ?? '';

const cases: readonly [ErrorCode, Record<string, string>, string][] = [
  ['ErrInvalidArguments', { pair: '' }, 'no pair'],
  ['ErrInvalidOrderSide', { type: 'BUY' }, 'a side of market orders'],
  ['ErrInvalidValue', { price: '1e6' }, 'a price with an exponent'],
  ['ErrInvalidValue', { volume: '-1' }, 'a negative volume'],
  ['ErrInvalidArguments', { time_in_force: 'DAY' }, 'an unknown time in force'],
  ['ErrInvalidArguments', { post_only: 'maybe' }, 'an invalid flag'],
  ['ErrInvalidArguments', { timestamp: String(startMs), ttl: '10001' }, 'a ttl above the limit'],
  ['ErrInvalidClientOrderId', { client_order_id: 'a b' }, 'a space in the id'],
  ['ErrInvalidClientOrderId', { client_order_id: 'x'.repeat(101) }, 'an id of 101 characters'],
  ['ErrMarketUnavailable', { pair: 'XBTXXX' }, 'an unknown pair'],
  ['ErrDeadlineExceeded', { timestamp: String(startMs - 10_001) }, 'a request of 10001 ms ago'],
  ['ErrDeadlineExceeded', { timestamp: String(startMs - 6), ttl: '5' }, 'a ttl that has passed'],
  ['ErrSpotMarginNotEnabled', { leverage: '2' }, 'leverage'],
  ['ErrSpotMarginNotEnabled', { leverage: '2147483647' }, 'the greatest leverage of 32 bits'],
  ['ErrInvalidArguments', { leverage: '2147483648' }, 'leverage of more than 32 bits'],
  ['ErrInvalidStopPrice', { stop_price: '900000.5', stop_direction: 'BELOW' }, 'half a tick'],
  [
    'ErrStopPriceTooLow',
    { stop_price: '9999', stop_direction: 'BELOW' },
    'a stop below the minimum',
  ],
  [
    'ErrStopPriceTooHigh',
    { stop_price: '100000001', stop_direction: 'ABOVE' },
    'a stop above the maximum',
  ],
  [
    'ErrStopPriceTooHigh',
    { stop_price: '999999999999', stop_direction: 'ABOVE' },
    'a stop beyond 2^53 ticks',
  ],
  ['ErrInvalidStopDirection', { stop_price: '900000' }, 'a stop without a direction'],
  [
    'ErrNoTradesToInferStopDirection',
    { stop_price: '900000', stop_direction: 'RELATIVE_LAST_TRADE' },
    'a direction relative to the last trade when there was none',
  ],
  ['ErrInvalidStopDirection', { stop_direction: 'BELOW' }, 'a direction without a stop'],
  ['ErrInvalidStopDirection', { stop_direction: 'UP' }, 'an unknown direction'],
  ['ErrPostOnlyNotAllowed', { post_only: 'true', time_in_force: 'IOC' }, 'post-only IOC'],
  ['ErrPostOnlyNotAllowed', { post_only: 'true', time_in_force: 'FOK' }, 'post-only FOK'],
  ['ErrPriceDenominationNotAllowed', { price: '1000000.5' }, 'half a tick'],
  ['ErrVolumeDenominationNotAllowed', { volume: '0.0100001' }, 'a tenth of a lot'],
  ['ErrPriceTooLow', { price: '9999' }, 'a price below the minimum'],
  ['ErrPriceTooHigh', { price: '100000001' }, 'a price above the maximum'],
  ['ErrVolumeTooLow', { volume: '0.000099' }, 'a volume below the minimum'],
  ['ErrInvalidVolume', { volume: '0' }, 'a volume of zero'],
  ['ErrInvalidPrice', { price: '0' }, 'a price of zero'],
  ['ErrVolumeTooHigh', { volume: '100.000001' }, 'a volume above the maximum'],
  ['ErrVolumeTooHigh', { volume: '100000000000' }, 'a volume beyond 2^53 lots'],
  ['ErrAccountNotFound', { base_account_id: '11' }, 'an unknown account'],
  ['ErrInsufficientBalance', { volume: '10.000001' }, 'more than the balance'],
];

test.each(cases)('%s for %o: %s', (code, change) => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  const response = caller.send('POST', '/api/1/postorder', { ...good, ...change });
  expect(JSON.parse(response.body ?? '')).toMatchObject({ error_code: code });
  expect(response.status).toBe(errorCodes[code].status);
  expect(simulator.truth('desk').orders).toEqual([]);
});

test("an order may not use another user's account or one of another currency", () => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  const place = (id: string) => caller.place('BID', 1_000_000, '0.01', { base_account_id: id });
  expect(place(account(simulator, 'other', 'XBT'))['error_code']).toBe('ErrAccountNotFound');
  expect(place(account(simulator, 'desk', 'ZAR'))['error_code']).toBe('ErrInvalidAccountID');
  expect(place(account(simulator, 'desk', 'XBT'))['order_id']).toMatch(/^BX/u);
});

test('empty text and zero mean that an optional parameter is not given', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  const zeros = [
    'base_account_id',
    'counter_account_id',
    'timestamp',
    'ttl',
    'stop_price',
    'leverage',
  ];
  const empties = ['time_in_force', 'stop_direction', 'client_order_id'];
  const unset = {
    ...Object.fromEntries(zeros.map((name) => [name, '0'])),
    ...Object.fromEntries(empties.map((name) => [name, ''])),
    post_only: 'false',
  };
  expect(caller.place('BID', 1_000_000, '0.01', unset)['order_id']).toMatch(/^BX/u);
});

test('a ttl without a timestamp is ignored, and a timestamp may be in the future', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  expect(caller.place('BID', 1_000_000, '0.01', { ttl: '1' })['order_id']).toMatch(/^BX/u);
  const future = { timestamp: String(startMs + 60_000), ttl: '1' };
  expect(caller.place('BID', 1_000_000, '0.01', future)['order_id']).toMatch(/^BX/u);
});

test('the last millisecond of a ttl still counts', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  const order = { timestamp: String(startMs - 5), ttl: '5' };
  expect(caller.place('BID', 1_000_000, '0.01', order)['order_id']).toMatch(/^BX/u);
});

test('a client_order_id is used up only by a successful creation, for ever and per user', () => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  const named = { client_order_id: 'mr-1' };
  expect(caller.place('BID', 1_000_000, '99', named)['error_code']).toBe('ErrInsufficientBalance');
  const orderId = caller.place('BID', 1_000_000, '0.01', named)['order_id'] as string;
  const again = caller.send('POST', '/api/1/postorder', { ...good, ...named });
  expect(again.status).toBe(409);
  caller.post('/api/1/stoporder', { order_id: orderId });
  expect(caller.place('ASK', 1_100_000, '0.01', named)['error_code']).toBe(
    'ErrDuplicateClientOrderID',
  );
  const other = new Caller(simulator, otherKey);
  expect(other.place('BID', 1_000_000, '0.01', named)['order_id']).toMatch(/^BX/u);
});

test('a used client_order_id is refused as a duplicate even when the money is gone', () => {
  const caller = new Caller(simulatorFor(quietSettings), botKey);
  caller.place('BID', 1_000_000, '10', { client_order_id: 'all' });
  const again = caller.place('BID', 1_000_000, '10', { client_order_id: 'all' });
  expect(again['error_code']).toBe('ErrDuplicateClientOrderID');
});

test.each(['POST_ONLY', 'SUSPENDED'] as const)(
  'a market that is %s takes only post-only orders',
  (status) => {
    const simulator = simulatorFor(quietSettings);
    const caller = new Caller(simulator, botKey);
    simulator.control({ kind: 'set-status', pair: 'XBTZAR', status }, startMicros);
    expect(caller.place('BID', 1_000_000, '0.01')['error_code']).toBe('ErrPostOnlyMode');
    const maker = caller.place('BID', 1_000_000, '0.01', { post_only: 'true' });
    expect(maker['order_id']).toMatch(/^BX/u);
  },
);

test('a disabled market takes no orders but allows cancels', () => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  const id = caller.place('BID', 1_000_000, '0.01')['order_id'] as string;
  simulator.control({ kind: 'set-status', pair: 'XBTZAR', status: 'DISABLED' }, startMicros);
  const refused = caller.place('BID', 1_000_000, '0.01', { post_only: 'true' });
  expect(refused['error_code']).toBe('ErrMarketUnavailable');
  expect(caller.post('/api/1/stoporder', { order_id: id })).toEqual({ success: true });
});

test('only a pending order of the caller can be cancelled, and only once', () => {
  const simulator = simulatorFor(quietSettings);
  const caller = new Caller(simulator, botKey);
  const stop = (who: Caller, id: string) => who.post('/api/1/stoporder', { order_id: id });
  const id = caller.place('BID', 1_000_000, '0.01')['order_id'] as string;
  const code = 'ErrCannotStopUnknownOrNonPendingOrder';
  expect(stop(new Caller(simulator, otherKey), id)['error_code']).toBe(code);
  expect(stop(caller, 'BX0000000000000')['error_code']).toBe(code);
  expect(stop(caller, id)).toEqual({ success: true });
  expect(stop(caller, id)['error_code']).toBe(code);
});

test('the maximum length of a client_order_id depends on the revision of the API', () => {
  const place = (limits: SimulatorSettings['limits'], length: number) =>
    new Caller(
      simulatorFor({ ...quietSettings, ...(limits === undefined ? {} : { limits }) }),
      botKey,
    ).place('BID', 1_000_000, '0.01', { client_order_id: 'x'.repeat(length) });
  expect(place(undefined, 100)['order_id']).toMatch(/^BX/u);
  expect(place(undefined, 101)['error_code']).toBe('ErrInvalidClientOrderId');
  const earlier = limitRevisions['long-order-ids'];
  expect(place(earlier, 255)['order_id']).toMatch(/^BX/u);
  expect(place(earlier, 256)['error_code']).toBe('ErrInvalidClientOrderId');
});
