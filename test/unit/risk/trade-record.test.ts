/** What a strategy's open position cost on average, as its fills come. */
import { expect, test } from 'vitest';
import type { Market, Side } from '../../../src/domain/market.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { CurrencyUnits } from '../../../src/risk/currency-units.ts';
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
const atoms = 10n ** 18n;

function createRecord(): TradeRecord {
  return new TradeRecord(new Map([[market.pair, market]]), new CurrencyUnits([market]));
}

test('is that of the fills which made it, until it is closed; a restart keeps it', () => {
  const record = createRecord();
  const averageAfter = (side: Side, volume: number, price: number, fee = 0): string | undefined => {
    const sign = side === 'BID' ? 1n : -1n;
    const value = BigInt(volume * price);
    record.add({
      strategyId: 'mm',
      market,
      side,
      volume: volume as Lots,
      base: sign * BigInt(volume) * atoms,
      counter: (-sign * value - BigInt(fee)) * atoms,
      value,
      timeMs: 0,
    });
    return record.averagePrice('mm', 'XBTZAR')?.toString();
  };
  expect(record.averagePrice('mm', 'XBTZAR')).toBeUndefined();
  expect(averageAfter('BID', 2, 100)).toBe('100');
  expect(averageAfter('BID', 1, 130, 6)).toBe('112');
  expect(averageAfter('ASK', 1, 500)).toBe('112');
  const restored = createRecord();
  for (const [name, state] of record.allStates()) restored.restore(name, state);
  expect(restored.averagePrice('mm', 'XBTZAR')?.toString()).toBe('112');
  // Two close the position, and what goes beyond opens a short one.
  expect(averageAfter('ASK', 3, 90)).toBe('90');
  expect(averageAfter('BID', 1, 80)).toBeUndefined();
});
