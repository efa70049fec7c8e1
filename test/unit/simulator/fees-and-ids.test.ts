/** Fees and order ids of the simulated exchange. */

import { expect, test } from 'vitest';
import { amountOf, formatWireAmount } from '../../../src/domain/amount.ts';
import { feeOf, formatFeeRate, parseFeeRate } from '../../../src/simulator/core/fee-rate.ts';
import { orderIdOf } from '../../../src/simulator/core/order-id.ts';

test.each([
  // 0.1 % of 0.00001 is 0.00000001 exactly.
  ['0.00001', '0.0010', '0.00000001'],
  // Half a step is rounded away from zero, in both directions.
  ['0.000005', '0.0010', '0.00000001'],
  ['0.000005', '-0.0010', '-0.00000001'],
  ['0.000004999', '0.0010', '0.00'],
  ['1000000', '0', '0.00'],
])('the fee on %s at %s is %s', (received, rate, fee) => {
  expect(formatWireAmount(feeOf(amountOf(received), parseFeeRate(rate), { feeScale: 8 }))).toBe(
    fee,
  );
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
