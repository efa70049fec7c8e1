/** Tickers, public trades and candles, all made from the trades of the market. */
import { beforeEach, expect, test } from 'vitest';
import { candleDurations } from '../../../../../src/domain/candle-durations.ts';
import {
  restoreSimulator,
  type Simulator,
} from '../../../../../src/venues/luno/simulator/world/simulator.ts';
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
const minuteMs = 60_000;
const dayMs = 86_400_000;
let simulator: Simulator;
let desk: Caller;
let other: Caller;

beforeEach(() => {
  simulator = simulatorFor(quietSettings);
  desk = new Caller(simulator, botKey);
  other = new Caller(simulator, otherKey);
});

/** Makes one trade; by default the taker buys. */
function trade(atMs: number, price: number, volume = '0.01', taker: 'BID' | 'ASK' = 'BID'): void {
  for (const caller of [desk, other]) caller.timeMicros = startMicros + atMs * 1000;
  desk.place(taker === 'BID' ? 'ASK' : 'BID', price, volume);
  other.place(taker, price, volume);
}

const trades = (values: Readonly<Record<string, string>> = {}) =>
  new Caller(simulator, undefined, desk.timeMicros).get('/api/1/trades', {
    pair: 'XBTZAR',
    ...values,
  });
const candles = (sinceMs: number, seconds: number, pair = 'XBTZAR', caller = desk) =>
  caller.get('/api/exchange/1/candles', {
    pair,
    since: String(sinceMs),
    duration: String(seconds),
  });

test('public trades are newest first, show the side of the taker and need no key', () => {
  trade(0, 1_000_000, '0.01', 'BID');
  trade(5, 1_000_001, '0.02', 'ASK');
  expect(trades()).toEqual({
    trades: [
      { sequence: 2, timestamp: startMs + 5, price: '1000001', volume: '0.020000', is_buy: false },
      { sequence: 1, timestamp: startMs, price: '1000000', volume: '0.010000', is_buy: true },
    ],
  });
});

test('trades since a time are those after it, not at it', () => {
  for (const atMs of [0, 5, 10]) trade(atMs, 1_000_000);
  const sequences = (since: number) =>
    trades({ since: String(since) })['trades']?.map((one) => one['sequence']);
  expect(sequences(startMs - 1)).toEqual([3, 2, 1]);
  expect(sequences(startMs + 5)).toEqual([3]);
  expect(sequences(startMs + 10)).toEqual([]);
});

test('trades older than 24 hours are gone, and a request for them is refused', () => {
  trade(0, 1_000_000);
  trade(1000, 1_000_000);
  desk.timeMicros = startMicros + dayMs * 1000;
  expect(trades()['trades']).toHaveLength(2);
  desk.timeMicros += 1000;
  expect(trades()['trades']).toHaveLength(1);
  const limit = desk.timeMicros / 1000 - dayMs;
  expect(trades({ since: String(limit) })['trades']).toHaveLength(1);
  const refused = trades({ since: String(limit - 1) });
  expect(refused).toMatchObject({ error_code: 'ErrInvalidArguments', fields: ['since'] });
});

test('at most 100 trades are listed, and since 0 means that it is not given', () => {
  for (let i = 0; i < 230; i++) trade(i * 2000, 1_000_000 + i);
  const found = trades({ since: '0' })['trades'];
  expect(found).toHaveLength(100);
  expect(found?.[0]?.['sequence']).toBe(230);
  expect(found?.[99]?.['sequence']).toBe(131);
  const some = trades({ since: String(startMs + 227 * 2000) })['trades'];
  expect(some?.map((one) => one['sequence'])).toEqual([230, 229]);
});

test.each([
  ['/api/1/trades', undefined],
  ['/api/exchange/1/candles', botKey],
])('%s of an unknown market is refused', (path, key) => {
  const values = { pair: 'XBTXXX', since: String(startMs), duration: '60' };
  expect(new Caller(simulator, key).get(path, values)['error_code']).toBe('ErrMarketUnavailable');
});

test('candles need a key of any permission, an exact duration and since', () => {
  const open = new Caller(simulator, undefined);
  expect(open.send('GET', '/api/exchange/1/candles', { pair: 'XBTZAR' }).status).toBe(401);
  const code = (values: Record<string, string>) =>
    desk.get('/api/exchange/1/candles', { pair: 'XBTZAR', ...values })['error_code'];
  expect(code({ since: '0', duration: '61' })).toBe('ErrInvalidArguments');
  expect(code({ since: '0', duration: '60s' })).toBe('ErrInvalidArguments');
  expect(code({ since: '0' })).toBe('ErrInvalidArguments');
  expect(code({ duration: '60' })).toBe('ErrInvalidArguments');
  for (const seconds of candleDurations) expect(candles(0, seconds)['candles']).toEqual([]);
});

test('a candle has the first, highest, lowest and last price and the total volume', () => {
  for (const [atMs, price] of [
    [0, 1_000_000],
    [10_000, 1_000_300],
    [20_000, 999_000],
    [59_999, 1_000_100],
    [60_000, 1_000_200],
  ] as const)
    trade(atMs, price);
  expect(candles(startMs, 60)).toEqual({
    pair: 'XBTZAR',
    duration: 60,
    candles: [
      {
        timestamp: startMs,
        open: '1000000',
        high: '1000300',
        low: '999000',
        close: '1000100',
        volume: '0.040000',
      },
      {
        timestamp: startMs + minuteMs,
        open: '1000200',
        high: '1000200',
        low: '1000200',
        close: '1000200',
        volume: '0.010000',
      },
    ],
  });
  for (const seconds of candleDurations.slice(1)) {
    const only = candles(0, seconds)['candles']?.[0];
    expect(only).toMatchObject({ open: '1000000', close: '1000200', volume: '0.050000' });
    expect(Number.parseInt(String(only?.['timestamp']), 10) % (seconds * 1000)).toBe(0);
  }
});

test('a minute without trades has the last price four times, up to the current minute', () => {
  trade(0, 1_000_000);
  trade(3 * minuteMs, 1_000_500);
  desk.timeMicros += 90 * second;
  const found = candles(0, 60)['candles'] ?? [];
  expect(found.map((one) => [one['close'], one['volume']])).toEqual([
    ['1000000', '0.010000'],
    ['1000000', '0.000000'],
    ['1000000', '0.000000'],
    ['1000500', '0.010000'],
    ['1000500', '0.000000'],
  ]);
});

test('candles start on or after since', () => {
  for (let i = 0; i < 4; i++) trade(i * minuteMs, 1_000_000 + i);
  const first = (sinceMs: number) => candles(sinceMs, 60)['candles']?.[0]?.['timestamp'];
  expect(first(startMs + minuteMs)).toBe(startMs + minuteMs);
  expect(first(startMs + minuteMs + 1)).toBe(startMs + 2 * minuteMs);
  expect(candles(startMs + 10 * minuteMs, 60)['candles']).toEqual([]);
});

test('the 1000 earliest candles are listed, and 1000 minutes are always kept', () => {
  for (let i = 0; i < 2100; i++) trade(i * minuteMs, 1_000_000 + i, '0.0001');
  const newest = startMs + 2099 * minuteMs;
  const found = candles(newest - 999 * minuteMs, 60)['candles'];
  expect(found).toHaveLength(1000);
  expect(found?.[0]?.['open']).toBe('1001100');
  expect(found?.[999]?.['close']).toBe('1002099');
  const earliest = candles(0, 60)['candles'];
  expect(earliest).toHaveLength(1000);
  expect(candles(0, 300)['candles']).toHaveLength(420);
  const restored = restoreSimulator(simulator.snapshot());
  const caller = new Caller(restored, botKey, desk.timeMicros);
  expect(candles(0, 60, 'XBTZAR', caller)['candles']).toEqual(earliest);
});

test('tickers are listed for all markets or the requested ones, without unknown ones', () => {
  trade(0, 1_000_000);
  const open = new Caller(simulator, undefined);
  const pairs = (values: Record<string, string | string[]> = {}) =>
    open.get('/api/1/tickers', values)['tickers']?.map((one) => one['pair']);
  expect(pairs()).toEqual(['XBTZAR', 'ETHXBT']);
  expect(pairs({ pair: ['ETHXBT', 'XBTXXX'] })).toEqual(['ETHXBT']);
  expect(pairs({ pair: 'XBTXXX' })).toEqual([]);
  expect(pairs({ 'pair[0]': 'XBTZAR' })).toEqual(['XBTZAR']);
  const [first] = open.get('/api/1/tickers')['tickers'] ?? [];
  expect(first).toEqual(open.get('/api/1/ticker', { pair: 'XBTZAR' }));
  expect(first).toMatchObject({ last_trade: '1000000', status: 'ACTIVE', bid: '0.00' });
  const { headers } = open.send('GET', '/api/1/tickers');
  expect(headers['cache-control']).toBe('public, max-age=1');
});
