/** The average price of a strategy's open position. */
import { expect, test } from 'vitest';
import type { Market, Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { TradeRecord } from '../../../src/risk/trade-record.ts';

const market: Market = {
  pair: 'XBTZAR',
  base: 'XBT',
  counter: 'ZAR',
  priceScale: 0,
  volumeScale: 0,
  feeScale: 8,
  priceMin: 1 as Ticks,
  priceMax: 1_000_000 as Ticks,
  volumeMin: 1 as Lots,
  volumeMax: 1_000 as Lots,
  status: 'ACTIVE',
};
const one = 10n ** 18n;

function createRecord(): TradeRecord {
  return new TradeRecord(new Map([[market.pair, market]]));
}

type Traded = { readonly fee?: number; readonly feeBase?: number };

/** Adds fills, each with its fees, and returns the average after them. */
function averages(record: TradeRecord) {
  let held = 0n;
  return (side: Side, volume: number, price: number, { fee = 0, feeBase = 0 }: Traded = {}) => {
    const sign = side === 'BID' ? 1n : -1n;
    const value = volume * price;
    const base = (sign * BigInt(volume) - BigInt(feeBase)) * one;
    const counter = (-sign * BigInt(value) - BigInt(fee)) * one;
    held += base;
    const what = { strategyId: 'mm', market, side, volume: volume as Lots };
    record.add({ ...what, base, counter, value, timeMs: 0 });
    return record.averagePrice('mm', 'XBTZAR', held)?.toString();
  };
}

test('the average is that of the fills that opened the position, also after a restart', () => {
  const record = createRecord();
  const averageAfter = averages(record);
  expect(record.averagePrice('mm', 'XBTZAR', 0n)).toBeUndefined();
  expect(averageAfter('BID', 2, 100)).toBe('100');
  expect(averageAfter('BID', 1, 130, { fee: 6 })).toBe('112');
  expect(averageAfter('ASK', 1, 500)).toBe('112');
  const restored = createRecord();
  for (const [name, state] of record.allStates()) restored.restore(name, state);
  expect(restored.averagePrice('mm', 'XBTZAR', 2n * one)?.toString()).toBe('112');
  // Two lots close the position, and the rest opens a short one.
  expect(averageAfter('ASK', 3, 90)).toBe('90');
  expect(averageAfter('BID', 1, 80)).toBeUndefined();
});

test('a fill of no volume changes nothing', () => {
  const averageAfter = averages(createRecord());
  expect(averageAfter('BID', 2, 100)).toBe('100');
  expect(averageAfter('ASK', 0, 100)).toBe('100');
  expect(averageAfter('BID', 0, 100)).toBe('100');
});

test('fees taken in the base currency do not change the average', () => {
  const averageAfter = averages(createRecord());
  for (let round = 0; round < 3; round++) {
    expect(averageAfter('BID', 100, 50, { feeBase: 1 })).toBe('50');
    expect(averageAfter('ASK', 99, 60, { fee: 2 })).toBeUndefined();
  }
  expect(averageAfter('BID', 100, 200, { feeBase: 1 })).toBe('200');
  expect(averageAfter('BID', 100, 300, { feeBase: 1 })).toBe('250');
  expect(averageAfter('ASK', 10, 300, { feeBase: 1 })).toBe('250');
});

test('the average is not known if an older version counted the fills', () => {
  const record = createRecord();
  record.restore('run mm|XBTZAR', '{"base":"5","cost":"10","losses":0,"coolUntilMs":0}');
  expect(record.averagePrice('mm', 'XBTZAR', 5n)).toBeUndefined();
});
