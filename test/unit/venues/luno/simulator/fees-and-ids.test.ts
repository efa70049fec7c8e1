/** Fees and order ids of the simulated exchange. */

import { expect, test } from 'vitest';
import { type Lots, parseScaled, type Ticks } from '../../../../../src/domain/money.ts';
import { FeeSchedule } from '../../../../../src/exchange-accounts/fee-schedule.ts';
import {
  formatFeeRate,
  parseFeeRate,
} from '../../../../../src/venues/luno/simulator/core/fee-rate.ts';
import { orderIdOf } from '../../../../../src/venues/luno/simulator/core/order-id.ts';

test.each([
  // 0.1 % of 0.00001 is 0.00000001 exactly.
  ['0.00001', '0.0010', 1n],
  // Half a step is rounded away from zero, in both directions.
  ['0.000005', '0.0010', 1n],
  ['0.000005', '-0.0010', -1n],
  ['0.000004999', '0.0010', 0n],
  ['1000000', '0', 0n],
])('the fee on %s at %s is %s of 10^-8', (received, rate, fee) => {
  const market = { priceScale: 0, volumeScale: 9, feeScale: 8 };
  const fees = new FeeSchedule({ maker: rate, taker: '0' }, market);
  const volume = parseScaled(received, 9) as Lots;
  const bought = { side: 'BID', price: 1 as Ticks, volume, atMicros: 0 } as const;
  const sold = { ...bought, side: 'ASK' } as const;
  expect(fees.feeOf(bought, true)).toEqual({ feeBase: fee, feeCounter: 0n });
  expect(fees.feeOf(sold, true)).toEqual({ feeBase: 0n, feeCounter: fee });
});

test('a fee rate is written with at least four decimals', () => {
  expect(['0', '0.001', '0.00012', '-0.0001'].map(formatFeeRate)).toEqual([
    '0.0000',
    '0.0010',
    '0.00012',
    '-0.0001',
  ]);
  expect(() => parseFeeRate('1')).toThrow(RangeError);
});

test('order ids have the format of real ones and do not repeat', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => orderIdOf(7n, index));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids.slice(0, 100)) expect(id).toMatch(/^BX[0-9A-Z]{13}$/u);
  expect(orderIdOf(7n, 1)).not.toBe(orderIdOf(8n, 1));
});
