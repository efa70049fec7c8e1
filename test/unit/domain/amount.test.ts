/** Amounts: parsing, and both output formats. */
import { expect, test } from 'vitest';
import {
  amountOf,
  amountOfOrder,
  amountOfVolume,
  formatAmount,
  formatWireAmount,
  parseAmount,
  powerOfTen,
  wholeLotsOf,
} from '../../../src/domain/amount.ts';
import type { Lots, Ticks } from '../../../src/domain/money.ts';

test.each([
  ['0', '0.00'],
  ['1', '1.00'],
  ['1.5', '1.50'],
  ['-0.000000000000000001', '-0.000000000000000001'],
  ['123456789.123456780', '123456789.12345678'],
  ['1000000000000', '1000000000000.00'],
])('%s is written as %s', (text, written) => {
  expect(formatWireAmount(amountOf(text))).toBe(written);
});

test.each([
  '',
  '-',
  '.',
  '1e3',
  '.5',
  '-.5',
  '1.',
  '1.5.5',
  '--1',
  '0x1',
  '1.0000000000000000001',
  ' 1',
])('an amount "%s" is refused', (text) => {
  expect(() => amountOf(text)).toThrow(RangeError);
});

test('an amount of any length is exact, with a sign, a decimal point and zeros anywhere', () => {
  const digits = '90071992547409919007199254740993';
  const zeros = '000000000000000000';
  for (let length = 1; length <= 30; length++)
    for (let decimals = 0; decimals < Math.min(length, 19); decimals++) {
      const whole = digits.slice(0, length - decimals);
      const fraction = digits.slice(length - decimals, length);
      const amount = BigInt(whole + fraction + zeros.slice(decimals));
      const text = decimals === 0 ? whole : `${whole}.${fraction}`;
      expect(parseAmount(text), text).toBe(amount);
      expect(parseAmount(`-${text}`), text).toBe(-amount);
    }
  const zeroed = ['-0', '0.000', '-0.0', '0000000.10'].map(parseAmount);
  expect(zeroed).toEqual([0n, 0n, 0n, amountOf('0.1')]);
});

test('volumes and values become amounts without rounding', () => {
  const market = { priceScale: 5, volumeScale: 4 };
  expect(formatWireAmount(amountOfVolume(12_345 as Lots, market))).toBe('1.2345');
  expect(formatWireAmount(amountOfOrder(5_001 as Ticks, 12_345 as Lots, market))).toBe(
    '0.061737345',
  );
});

test('zeros beyond 18 decimals are accepted, because the exchange writes them', () => {
  expect(parseAmount('1.500000000000000000000')).toBe(amountOf('1.5'));
  expect(parseAmount('1.500000000000000000001')).toBeUndefined();
});

test.each([
  ['0', '0'],
  ['1.50', '1.5'],
  ['-0.10', '-0.1'],
  ['1000', '1000'],
])('in results, %s is written as %s', (text, written) => {
  expect(formatAmount(amountOf(text))).toBe(written);
});

test('whole lots are rounded towards zero and must fit a number', () => {
  const scales = { priceScale: 2, volumeScale: 4 };
  expect(wholeLotsOf(amountOf('1.23459'), scales)).toBe(12_345);
  expect(wholeLotsOf(amountOf('-1.23459'), scales)).toBe(-12_345);
  expect(() => wholeLotsOf(amountOf('1000000000000000'), scales)).toThrow(RangeError);
});

test('powers of ten have exponents from 0 to 40', () => {
  expect(powerOfTen(18)).toBe(1_000_000_000_000_000_000n);
  expect(() => powerOfTen(-1)).toThrow(RangeError);
  expect(() => powerOfTen(41)).toThrow(RangeError);
});
