/** Quotes: their rate, their lifetime, and the orders that they block. */
import { beforeEach, expect, test } from 'vitest';
import {
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  type Body,
  bodyOf,
  botKey,
  Caller,
  otherKey,
  quietSettings,
  second,
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
  other.place('BID', 1_000_000, '1');
  other.place('BID', 990_000, '1');
  other.place('ASK', 1_010_000, '1');
  other.place('ASK', 1_020_000, '1');
});

const quote = (type: string, pair: string, amount: string, more: Record<string, string> = {}) =>
  desk.post('/api/1/quotes', { type, pair, base_amount: amount, ...more });
const act = (method: string, made: Body, caller = desk): Body =>
  bodyOf(caller.send(method, `/api/1/quotes/${made['id']}`));
const exercise = (made: Body, caller = desk) => act('PUT', made, caller);
const discard = (made: Body) => act('DELETE', made);
const balances = () =>
  Object.fromEntries(
    (desk.get('/api/1/balance')['balance'] ?? []).map((one) => [one['asset'], one['balance']]),
  );

test.each([
  // The value in the book, 1 % worse for the caller.
  ['BUY', 'XBTZAR', '1', '1020100.00'],
  ['BUY', 'XBTZAR', '1.5', '1535200.00'],
  ['SELL', 'XBTZAR', '1', '990000.00'],
  ['SELL', 'XBTZAR', '1.5', '1480050.00'],
  // Reversed pair: 500000 ZAR are worth half a bitcoin at the bid, and 505000 ZAR at the ask.
  ['BUY', 'ZARXBT', '500000', '0.505'],
  ['SELL', 'ZARXBT', '505000', '0.495'],
])('%s %s %s costs or gives %s', (type, pair, amount, counter) => {
  const made = quote(type, pair, amount);
  expect(made).toEqual({
    id: made['id'],
    type,
    pair,
    base_amount: amount.includes('.') ? '1.50' : `${amount}.00`,
    counter_amount: counter,
    created_at: startMicros / 1000,
    expires_at: startMicros / 1000 + 60_000,
    discarded: false,
    exercised: false,
  });
  expect(act('GET', made)).toEqual(made);
});

test.each([
  ['BUY', 'XBTZAR', '1', { XBT: '11.00', ZAR: '8979900.00', ETH: '100.00' }],
  ['SELL', 'XBTZAR', '1', { XBT: '9.00', ZAR: '10990000.00', ETH: '100.00' }],
  ['BUY', 'ZARXBT', '500000', { XBT: '9.495', ZAR: '10500000.00', ETH: '100.00' }],
  ['SELL', 'ZARXBT', '505000', { XBT: '10.495', ZAR: '9495000.00', ETH: '100.00' }],
])('exercising %s %s %s leaves %o', (type, pair, amount, left) => {
  const made = quote(type, pair, amount);
  expect(exercise(made)).toEqual({ ...made, exercised: true });
  expect(balances()).toEqual(left);
  expect(simulator.faults()).toEqual([]);
});

test('a second exercise gets the same answer and moves no money', () => {
  const made = quote('BUY', 'XBTZAR', '1');
  const first = exercise(made);
  const after = balances();
  expect(exercise(made)).toEqual(first);
  expect(balances()).toEqual(after);
  expect(discard(made)['error_code']).toBe('ErrInvalidParameters');
});

test('a discarded quote can never be exercised; a second discard changes nothing', () => {
  const made = quote('BUY', 'XBTZAR', '1');
  expect(discard(made)).toEqual({ ...made, discarded: true });
  expect(discard(made)).toEqual({ ...made, discarded: true });
  expect(exercise(made)['error_code']).toBe('ErrInvalidParameters');
});

test('a quote can be exercised for 60 seconds and discarded at any time', () => {
  const inTime = quote('BUY', 'XBTZAR', '0.1');
  const late = quote('BUY', 'XBTZAR', '0.1');
  desk.timeMicros = startMicros + 60 * second - 1000;
  expect(exercise(inTime)['exercised']).toBe(true);
  desk.timeMicros = startMicros + 60 * second;
  expect(exercise(late)['error_code']).toBe('ErrDeadlineExceeded');
  expect(act('GET', late)['exercised']).toBe(false);
  expect(discard(late)['discarded']).toBe(true);
});

test('too small a balance refuses the quote, a reserved balance refuses its exercise', () => {
  expect(quote('SELL', 'ZARXBT', '10000001')['error_code']).toBe('ErrNotEnoughLiquidity');
  other.place('BID', 900_000, '8.5');
  desk.place('ASK', 2_000_000, '9.5');
  const made = quote('SELL', 'XBTZAR', '1');
  expect(made['id']).toBeDefined();
  expect(exercise(made)['error_code']).toBe('ErrInsufficientBalance');
  expect(act('GET', made)).toEqual(made);
  expect(quote('SELL', 'XBTZAR', '10.01')['error_code']).toBe('ErrInsufficientBalance');
});

test('orders are refused in the market of a quote that can be exercised', () => {
  const made = quote('BUY', 'XBTZAR', '0.1');
  expect(desk.place('BID', 900_000, '0.1')['error_code']).toBe('ErrCannotTradeWhileQuoteActive');
  const market = { pair: 'XBTZAR', type: 'SELL', base_volume: '0.1' };
  expect(desk.post('/api/1/marketorder', market)['error_code']).toBe(
    'ErrCannotTradeWhileQuoteActive',
  );
  const elsewhere = { pair: 'ETHXBT', type: 'BID', volume: '1', price: '0.05' };
  expect(desk.post('/api/1/postorder', elsewhere)['order_id']).toMatch(/^BX/u);
  expect(other.place('BID', 900_000, '0.1')['order_id']).toMatch(/^BX/u);
  discard(made);
  expect(desk.place('BID', 900_000, '0.1')['order_id']).toMatch(/^BX/u);
  quote('BUY', 'XBTZAR', '0.1');
  desk.timeMicros = startMicros + 60 * second;
  expect(desk.place('BID', 900_000, '0.1')['order_id']).toMatch(/^BX/u);
});

test.each([
  ['ErrInvalidMarketPair', { pair: 'XBTEUR' }],
  ['ErrInvalidOrderSide', { type: 'BID' }],
  ['ErrInvalidAmount', { base_amount: '0' }],
  ['ErrInvalidValue', { base_amount: '1e2' }],
  ['ErrInvalidArguments', { base_amount: undefined }],
  ['ErrAmountTooSmall', { base_amount: '0.000099' }],
  ['ErrAmountTooBig', { base_amount: '100.000001' }],
  ['ErrNotEnoughLiquidity', { base_amount: '150.000001', pair: 'ETHXBT' }],
  ['ErrAccountNotFound', { base_account_id: '11' }],
])('%s for %o', (code, change) => {
  other.place('ASK', 1_100_000, '5');
  for (let i = 0; i < 10; i++)
    simulator.control({ kind: 'deposit', accountId: accountOf('other'), amount: '100' }, 0);
  other.place('ASK', 1_100_000, '100');
  const good = { type: 'BUY', pair: 'XBTZAR', base_amount: '1' };
  const values = Object.fromEntries(
    Object.entries({ ...good, ...change }).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  expect(desk.post('/api/1/quotes', values)['error_code']).toBe(code);
});

test("another user's quote and an unknown quote are not found", () => {
  const made = quote('BUY', 'XBTZAR', '0.1');
  for (const method of ['GET', 'PUT', 'DELETE']) {
    expect(act(method, made, other)['error_code']).toBe('ErrNotFound');
    expect(desk.send(method, '/api/1/quotes/77').status).toBe(404);
  }
});

test('a closed or post-only market gives no quote', () => {
  const set = (status: 'POST_ONLY' | 'DISABLED') =>
    simulator.control({ kind: 'set-status', pair: 'XBTZAR', status }, startMicros);
  set('POST_ONLY');
  expect(quote('BUY', 'XBTZAR', '0.1')['error_code']).toBe('ErrPostOnlyMode');
  set('DISABLED');
  expect(quote('BUY', 'ZARXBT', '1000')['error_code']).toBe('ErrMarketUnavailable');
});

test('quotes survive a restart', () => {
  const made = quote('BUY', 'XBTZAR', '0.1');
  const restored = restoreSimulator(simulator.snapshot());
  expect(exercise(made, new Caller(restored, botKey))['exercised']).toBe(true);
  expect(restored.faults()).toEqual([]);
});

function accountOf(user: string): string {
  return simulator.truth(user).accounts.find((one) => one.currency === 'XBT')?.id ?? '';
}
