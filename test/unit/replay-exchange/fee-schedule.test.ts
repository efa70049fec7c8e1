/** Exact fees, compared with decimal.js. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Side } from '../../../src/domain/market.ts';
import { Decimal, formatScaled, type Lots, type Ticks } from '../../../src/domain/money.ts';
import { FeeSchedule } from '../../../src/exchange-accounts/fee-schedule.ts';

test('the fee equals that of decimal arithmetic, rounded half away from zero', () => {
  const scale = fc.integer({ min: 0, max: 8 });
  // Small amounts are computed in floats, large ones in bigints; some are near the boundary.
  const amount = fc.oneof(
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 1, max: 2 ** 24 }),
    fc.integer({ min: 1, max: 2 ** 40 }),
  );
  fc.assert(
    fc.property(
      fc.record({ priceScale: scale, volumeScale: scale, feeScale: scale }),
      fc.integer({ min: -99_999, max: 99_999 }),
      amount,
      amount,
      fc.constantFrom<Side>('BID', 'ASK'),
      (market, rate, price, volume, side) => {
        const text = formatScaled(rate, 5);
        const fees = new FeeSchedule({ maker: text, taker: '0' }, market);
        const fill = { side, price: price as Ticks, volume: volume as Lots, atMicros: 0 };
        const base = new Decimal(volume).div(new Decimal(10).pow(market.volumeScale));
        const value = base.times(price).div(new Decimal(10).pow(market.priceScale));
        const exact = (side === 'BID' ? base : value).times(text);
        const expected = exact.toDecimalPlaces(market.feeScale, Decimal.ROUND_HALF_UP);
        const { feeBase, feeCounter } = fees.feeOf(fill, true);
        const paid = side === 'BID' ? feeBase : feeCounter;
        expect(new Decimal(formatScaled(paid, market.feeScale)).equals(expected)).toBe(true);
        expect(side === 'BID' ? feeCounter : feeBase).toBe(0n);
        expect(fees.feeOf(fill, false)).toEqual({ feeBase: 0n, feeCounter: 0n });
      },
    ),
    { numRuns: 2_000 },
  );
});

test('a rate that is not a fraction is refused', () => {
  const market = { priceScale: 2, volumeScale: 4, feeScale: 8 };
  for (const maker of ['1', '-1', '0.1%', '', '1e-3', '0.0000000000001'])
    expect(() => new FeeSchedule({ maker, taker: '0' }, market), maker).toThrow(RangeError);
});

test('a fill pays the rate that applies at its time', () => {
  const market = { priceScale: 2, volumeScale: 0, feeScale: 2 };
  const fees = new FeeSchedule(
    [
      { fromMs: 1_000, maker: '0', taker: '0.01' },
      { fromMs: 5_000, maker: '0', taker: '0.02' },
    ],
    market,
  );
  const feeAt = (atMicros: number): bigint =>
    fees.feeOf({ side: 'ASK', price: 100_00 as Ticks, volume: 1 as Lots, atMicros }, false)
      .feeCounter;
  expect([0, 4_999_999, 5_000_000, 9_000_000].map(feeAt)).toEqual([100n, 100n, 200n, 200n]);
  const late = { fromMs: 1, maker: '0', taker: '0' };
  expect(() => new FeeSchedule([late, late], market)).toThrow('order of time');
});
