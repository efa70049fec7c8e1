/** Price-time matching, order types and fees, as orders, trades and accounts show them. */
import { expect, test } from 'vitest';
import {
  botKey,
  Caller,
  otherKey,
  quietSettings,
  simulatorFor,
} from '../../../../support/simulated-exchange.ts';

const setUp = () => {
  const simulator = simulatorFor(quietSettings);
  const desk = new Caller(simulator, botKey);
  const other = new Caller(simulator, otherKey);
  const order = (caller: Caller, id: unknown) =>
    caller.get('/api/exchange/3/order', { id: id as string });
  const trades = (caller: Caller) => caller.get('/api/1/listtrades', { pair: 'XBTZAR' })['trades'];
  const balance = (caller: Caller, asset: string) =>
    caller.get('/api/1/balance', { assets: asset })['balance']?.[0];
  return { simulator, desk, other, order, trades, balance };
};

test('the better price trades first, and within a price the earlier order', () => {
  const { simulator, desk, other, trades } = setUp();
  const worse = desk.place('ASK', 1_000_020, '0.1')['order_id'];
  const first = desk.place('ASK', 1_000_010, '0.1')['order_id'];
  const second = desk.place('ASK', 1_000_010, '0.1')['order_id'];
  other.place('BID', 1_000_020, '0.25');
  expect(
    trades(desk)?.map((trade) => [trade['order_id'], trade['price'], trade['volume']]),
  ).toEqual([
    [first, '1000010', '0.100000'],
    [second, '1000010', '0.100000'],
    [worse, '1000020', '0.050000'],
  ]);
  expect(trades(desk)?.map((trade) => trade['sequence'])).toEqual([1, 2, 3]);
  expect(simulator.faults()).toEqual([]);
});

test('a trade executes at the price of the resting order', () => {
  const { desk, other, trades, balance } = setUp();
  desk.place('BID', 1_000_000, '0.1');
  other.place('ASK', 900_000, '0.1');
  expect(trades(other)?.[0]).toMatchObject({
    price: '1000000',
    counter: '100000.000000',
    is_buy: false,
    type: 'ASK',
  });
  expect(trades(desk)?.[0]).toMatchObject({ is_buy: false, type: 'BID' });
  expect(balance(desk, 'ZAR')).toMatchObject({ balance: '9900000.00', reserved: '0.00' });
});

test('the fee is taken in the received currency: base for a buy, counter for a sell', () => {
  const { desk, other, order, trades, balance } = setUp();
  const maker = desk.place('BID', 1_000_000, '0.1')['order_id'];
  const taker = other.place('ASK', 1_000_000, '0.1')['order_id'];
  expect(order(desk, maker)).toMatchObject({
    status: 'COMPLETE',
    base: '0.100000',
    counter: '100000.000000',
    fee_base: '0.00005',
    fee_counter: '0.00',
    expiration_timestamp: 0,
  });
  expect(order(other, taker)).toMatchObject({ fee_base: '0.00', fee_counter: '100.00' });
  expect(trades(desk)?.[0]).toMatchObject({ fee_base: '0.00005', fee_counter: '0.00' });
  expect(balance(desk, 'XBT')?.['balance']).toBe('10.09995');
  expect(balance(other, 'ZAR')?.['balance']).toBe('10099900.00');
});

test('the volume that an IOC order cannot trade at once is cancelled', () => {
  const { simulator, desk, other, order, balance } = setUp();
  desk.place('ASK', 1_000_000, '0.1');
  const id = other.place('BID', 1_000_000, '0.3', { time_in_force: 'IOC' })['order_id'];
  const record = order(other, id);
  expect(record).toMatchObject({ status: 'COMPLETE', base: '0.100000', time_in_force: 'IOC' });
  expect(record['expiration_timestamp']).toBe(record['completed_timestamp']);
  expect(balance(other, 'ZAR')).toMatchObject({ balance: '9900000.00', reserved: '0.00' });
  expect(simulator.faults()).toEqual([]);
});

test('a FOK order trades completely or not at all', () => {
  const { desk, other, order, trades } = setUp();
  desk.place('ASK', 1_000_000, '0.1');
  desk.place('ASK', 1_000_010, '0.1');
  const killed = other.place('BID', 1_000_010, '0.200001', { time_in_force: 'FOK' })['order_id'];
  expect(order(other, killed)).toMatchObject({ status: 'COMPLETE', base: '0.000000' });
  expect(trades(other)).toEqual([]);
  const filled = other.place('BID', 1_000_010, '0.2', { time_in_force: 'FOK' })['order_id'];
  expect(order(other, filled)).toMatchObject({ status: 'COMPLETE', base: '0.200000' });
});

test('a post-only order that would trade is refused and leaves no trace', () => {
  const { simulator, desk, other } = setUp();
  desk.place('ASK', 1_000_000, '0.1');
  const touching = { post_only: 'true', client_order_id: 'po' };
  expect(other.place('BID', 1_000_000, '0.1', touching)['error_code']).toBe('ErrOrderCanceled');
  expect(simulator.truth('other').orders).toEqual([]);
  expect(other.place('BID', 999_999, '0.1', touching)['order_id']).toMatch(/^BX/u);
});

test('a partly filled order keeps its queue position, and its reservation shrinks', () => {
  const { desk, other, order, trades, balance } = setUp();
  const first = desk.place('BID', 1_000_000, '0.3')['order_id'];
  desk.place('BID', 1_000_000, '0.3');
  other.place('ASK', 1_000_000, '0.1');
  expect(order(desk, first)).toMatchObject({ status: 'PENDING', base: '0.100000' });
  expect(balance(desk, 'ZAR')?.['reserved']).toBe('500000.00');
  other.place('ASK', 1_000_000, '0.1');
  expect(trades(desk)?.map((trade) => trade['order_id'])).toEqual([first, first]);
});

test('orders of one user trade with each other', () => {
  const { simulator, desk, trades } = setUp();
  desk.place('ASK', 1_000_000, '0.1');
  desk.place('BID', 1_000_000, '0.1');
  expect(trades(desk)?.map((trade) => trade['type'])).toEqual(['ASK', 'BID']);
  expect(simulator.faults()).toEqual([]);
});

test('a maker with a negative fee is paid', () => {
  const simulator = simulatorFor({
    ...quietSettings,
    users: quietSettings.users.map((user) => ({
      ...user,
      fees: { maker: '-0.0001', taker: '0.001' },
    })),
  });
  const desk = new Caller(simulator, botKey);
  desk.place('BID', 1_000_000, '1');
  new Caller(simulator, otherKey).place('ASK', 1_000_000, '1');
  expect(simulator.truth('desk').orders[0]?.fee_base).toBe('-0.0001');
  expect(simulator.truth('desk').accounts[0]?.balance).toBe('11.0001');
  expect(simulator.faults()).toEqual([]);
});
