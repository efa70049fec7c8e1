/** Exact amounts and fees of the simulated exchange. */
import { expect, test } from 'vitest';
import type { Lots, Ticks } from '../../../src/domain/money.ts';
import { feeOf, formatFeeRate, parseFeeRate } from '../../../src/simulator/core/fee-rate.ts';
import { orderIdOf } from '../../../src/simulator/core/order-id.ts';
import {
  formatUnits,
  parseUnits,
  unitsOfLots,
  unitsOfValue,
} from '../../../src/simulator/core/units.ts';

test.each([
  ['0', '0.00'],
  ['1', '1.00'],
  ['1.5', '1.50'],
  ['-0.000000000000000001', '-0.000000000000000001'],
  ['123456789.123456780', '123456789.12345678'],
  ['1000000000000', '1000000000000.00'],
])('%s is written as %s', (text, written) => {
  expect(formatUnits(parseUnits(text))).toBe(written);
});

test.each(['', '1e3', '.5', '1.', '0x1', '1.0000000000000000001', ' 1'])(
  'an amount "%s" is refused',
  (text) => {
    expect(() => parseUnits(text)).toThrow(RangeError);
  },
);

test('volumes and values become units without rounding', () => {
  const market = { priceScale: 5, volumeScale: 4 };
  expect(formatUnits(unitsOfLots(12_345 as Lots, market))).toBe('1.2345');
  expect(formatUnits(unitsOfValue(5_001 as Ticks, 12_345 as Lots, market))).toBe('0.061737345');
});

test.each([
  // 0.1 % of 0.00001 is 0.00000001 exactly.
  ['0.00001', '0.0010', '0.00000001'],
  // Half a step is rounded away from zero, in both directions.
  ['0.000005', '0.0010', '0.00000001'],
  ['0.000005', '-0.0010', '-0.00000001'],
  ['0.000004999', '0.0010', '0.00'],
  ['1000000', '0', '0.00'],
])('the fee on %s at %s is %s', (received, rate, fee) => {
  expect(formatUnits(feeOf(parseUnits(received), parseFeeRate(rate), { feeScale: 8 }))).toBe(fee);
});

test('a fee rate is written with four decimals or as many as it has', () => {
  expect(['0', '0.001', '0.00012', '-0.0001'].map(formatFeeRate)).toEqual([
    '0.0000',
    '0.0010',
    '0.00012',
    '-0.0001',
  ]);
  expect(() => parseFeeRate('1')).toThrow(RangeError);
});

test('order ids have the shape of real ones and do not repeat', () => {
  const ids = Array.from({ length: 20_000 }, (_, index) => orderIdOf(7n, index));
  expect(new Set(ids).size).toBe(ids.length);
  for (const id of ids.slice(0, 100)) expect(id).toMatch(/^BX[0-9A-Z]{13}$/u);
  expect(orderIdOf(7n, 1)).not.toBe(orderIdOf(8n, 1));
});
