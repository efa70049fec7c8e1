/** Trading states: maintenance, rights, wallets, leverage, fee tiers. */
import { beforeEach, expect, test } from 'vitest';
import type { AccountType } from '../../../../../src/venues/luno/api/account-types.ts';
import type {
  TradingControl,
  TradingState,
} from '../../../../../src/venues/luno/simulator/trading/trading-controls.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
import {
  type Body,
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

beforeEach(() => {
  simulator = simulatorFor(quietSettings);
  desk = new Caller(simulator, botKey);
});

const set = (state: TradingState, isOn = true) =>
  simulator.control({ kind: 'set-trading-state', isOn, ...state } as TradingControl, startMicros);
const place = (more: Readonly<Record<string, string>> = {}): Body =>
  desk.place('BID', 900_000, '0.01', more);
const codes = (more: Readonly<Record<string, string>> = {}) => [
  place(more)['error_code'],
  desk.post('/api/1/marketorder', {
    pair: 'XBTZAR',
    type: 'BUY',
    counter_volume: '1000',
    ...more,
  })['error_code'],
];

/** Opens accounts of a type, deposits money, and returns the accounts as parameters. */
function accountsOf(type: AccountType): Record<string, string> {
  const ids = ['XBT', 'ZAR'].map((currency) => {
    const before = new Set(simulator.truth('desk').accounts.map((one) => one.id));
    simulator.control({ kind: 'open-account', userId: 'desk', currency, type }, startMicros);
    const opened = simulator.truth('desk').accounts.find((one) => !before.has(one.id));
    const accountId = opened?.id ?? '';
    simulator.control({ kind: 'deposit', accountId, amount: '100000' }, startMicros);
    return accountId;
  });
  return { base_account_id: ids[0] as string, counter_account_id: ids[1] as string };
}

test('a market under maintenance refuses orders as such, looks disabled, and allows cancels', () => {
  const id = place()['order_id'] as string;
  const status = 'DISABLED';
  const maintenance = { kind: 'set-status', pair: 'XBTZAR', status } as const;
  simulator.control({ ...maintenance, isUnderMaintenance: true }, startMicros);
  const response = desk.send('POST', '/api/1/postorder', {
    pair: 'XBTZAR',
    type: 'BID',
    price: '900000',
    volume: '0.01',
  });
  expect(response.status).toBe(503);
  expect(codes()).toEqual(['ErrUnderMaintenance', 'ErrUnderMaintenance']);
  const quote = { type: 'BUY', pair: 'XBTZAR', base_amount: '0.1' };
  expect(desk.post('/api/1/quotes', quote)['error_code']).toBe('ErrUnderMaintenance');
  expect(desk.get('/api/1/ticker', { pair: 'XBTZAR' })['status']).toBe('DISABLED');
  expect(desk.post('/api/1/stoporder', { order_id: id })).toEqual({ success: true });
  simulator.control(maintenance, startMicros);
  expect(codes()).toEqual(['ErrMarketUnavailable', 'ErrMarketUnavailable']);
  simulator.control({ ...maintenance, status: 'ACTIVE' }, startMicros);
  expect(place()['order_id']).toMatch(/^BX/u);
});

test.each([
  ['ACTIVE', 'ACTIVE', 'ACTIVE'],
  ['POST_ONLY', 'POSTONLY', 'POST_ONLY'],
  ['SUSPENDED', 'POSTONLY', 'SUSPENDED'],
  ['DISABLED', 'DISABLED', 'UNKNOWN'],
  ['UNKNOWN', 'UNKNOWN', 'UNKNOWN'],
] as const)('a market that is %s is %s in its ticker, %s in the list', (status, ticker, listed) => {
  simulator.control({ kind: 'set-status', pair: 'XBTZAR', status }, startMicros);
  expect(desk.get('/api/1/ticker', { pair: 'XBTZAR' })['status']).toBe(ticker);
  const { markets } = desk.get('/api/exchange/1/markets', { pair: 'XBTZAR' });
  expect(markets).toMatchObject([{ trading_status: listed }]);
});

test('a market that is not enabled for one user is open to others', () => {
  const state = { state: 'market-not-allowed', userId: 'desk', pair: 'XBTZAR' } as const;
  set(state);
  expect(codes()).toEqual(['ErrMarketNotAllowed', 'ErrMarketNotAllowed']);
  const other = new Caller(simulator, otherKey);
  expect(other.place('BID', 900_000, '0.01')['order_id']).toMatch(/^BX/u);
  const restored = new Caller(restoreSimulator(simulator.snapshot()), botKey);
  expect(restored.place('BID', 900_000, '0.01')['error_code']).toBe('ErrMarketNotAllowed');
  set(state, false);
  expect(place()['order_id']).toMatch(/^BX/u);
});

test('a state of a user or market that does not exist is refused', () => {
  expect(() => set({ state: 'spot-margin', userId: 'nobody' })).toThrow('no user nobody');
  expect(() => set({ state: 'spot-margin-market', pair: 'XBTXXX' })).toThrow('no market XBTXXX');
});

test('leverage needs the right, then a market that allows it, then spot margin wallets', () => {
  new Caller(simulator, otherKey).place('ASK', 900_000, '0.005');
  const leverage = { leverage: '2' };
  expect(codes(leverage)).toEqual(['ErrSpotMarginNotEnabled', 'ErrSpotMarginNotEnabled']);
  set({ state: 'spot-margin', userId: 'desk' });
  const unsupported = 'ErrSpotMarginNotSupportedForInstrument';
  expect(codes(leverage)).toEqual([unsupported, unsupported]);
  set({ state: 'spot-margin-market', pair: 'XBTZAR' });
  const wallet = 'ErrLeverageRequiresSpotMarginWallet';
  expect(codes(leverage)).toEqual([wallet, wallet]);
  const accounts = accountsOf('SPOT_MARGIN');
  const required = 'ErrSpotMarginWalletRequiresLeverage';
  expect(codes(accounts)).toEqual([required, required]);

  const id = place({ ...leverage, ...accounts })['order_id'] as string;
  const plain = place()['order_id'];
  const listed = (marginOnly: string) =>
    desk
      .get('/api/1/listorders', { margin_only: marginOnly })
      ['orders']?.map((one) => one['order_id']);
  expect(listed('true')).toEqual([id]);
  expect(listed('false')).toEqual([plain, id]);
  expect(desk.get(`/api/1/orders/${id}`)['leverage']).toBe(2);
  expect(desk.get(`/api/exchange/2/orders/${id}`)['leverage']).toBe(2);
  expect(simulator.faults()).toEqual([]);
});

test('a trade between accounts of different types is refused', () => {
  const { base_account_id: base } = accountsOf('SPOT') as { base_account_id: string };
  const mixed = 'ErrCrossAccountTypeTradeNotAllowed';
  expect(codes({ base_account_id: base })).toEqual([mixed, mixed]);
});

test('a market for SPOT wallets takes only orders of SPOT accounts', () => {
  new Caller(simulator, otherKey).place('ASK', 900_000, '0.05');
  const accounts = accountsOf('SPOT');
  set({ state: 'only-spot-wallets', pair: 'XBTZAR' });
  expect(codes()).toEqual(['ErrOnlySpotWalletsAllowed', 'ErrOnlySpotWalletsAllowed']);
  expect(codes(accounts)).toEqual([undefined, undefined]);
});

test('a fee tier depends on the volume of 30 days up to midnight, in each market separately', () => {
  const settings = {
    ...quietSettings,
    users: quietSettings.users.map((user) => ({
      ...user,
      feeTiers: [
        { volumeMin: '2', maker: '0', taker: '0.0003' },
        { volumeMin: '1', maker: '-0.0001', taker: '0.0008' },
      ],
    })),
  };
  simulator = simulatorFor(settings);
  desk = new Caller(simulator, botKey);
  const other = new Caller(simulator, otherKey);
  const day = 86_400 * second;
  const fees = (pair = 'XBTZAR') => {
    const {
      maker_fee: maker,
      taker_fee_buy: taker,
      thirty_day_volume: volume,
    } = desk.get('/api/1/fee_info', { pair });
    return [maker, taker, volume];
  };
  const trade = () => {
    desk.place('ASK', 1_000_000, '1');
    other.timeMicros = desk.timeMicros;
    other.place('BID', 1_000_000, '1');
    return desk.get('/api/1/listtrades', { pair: 'XBTZAR', sort_desc: 'true' })['trades']?.[0];
  };
  expect(trade()?.['fee_counter']).toBe('500.00');
  expect(fees()).toEqual(['0.0005', '0.0010', '0.000000']);
  desk.timeMicros = startMicros + day / 2;
  expect(fees()).toEqual(['-0.0001', '0.0008', '1.000000']);
  expect(fees('ETHXBT')).toEqual(['0.0005', '0.0010', '0.0000']);
  expect(trade()?.['fee_counter']).toBe('-100.00');
  desk.timeMicros = startMicros + day + day / 2;
  expect(fees()).toEqual(['0.0000', '0.0003', '2.000000']);
  desk.timeMicros = startMicros + 30 * day + day / 2 - 1000;
  expect(fees()).toEqual(['0.0000', '0.0003', '2.000000']);
  desk.timeMicros += 1000;
  expect(fees()).toEqual(['-0.0001', '0.0008', '1.000000']);
  expect(simulator.faults()).toEqual([]);
});

test('an invalid fee tier is refused at the start', () => {
  const users = quietSettings.users.map((user) => ({
    ...user,
    feeTiers: [{ volumeMin: '1e3', maker: '0', taker: '0' }],
  }));
  expect(() => simulatorFor({ ...quietSettings, users })).toThrow('volumeMin');
});
