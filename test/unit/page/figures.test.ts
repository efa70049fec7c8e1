/** Figures as people read them. */
import { expect, test } from 'vitest';
import { exactText, percentText, roundedText } from '../../../src/page/format/figures.ts';

test.each([
  ['1234567.891', 2, '1,234,567.89'],
  ['0.000012345', 2, '0.000012'],
  ['-0.5', 2, '−0.5'],
  ['-1234.005', 2, '−1,234.01'],
  ['0', 2, '0'],
  ['12345678901234567890.12', 1, '12,345,678,901,234,567,890.1'],
  ['not a decimal', 2, 'not a decimal'],
])('%s with at most %i decimals is %s', (value, decimals, text) => {
  expect(roundedText(value, { decimals })).toBe(text);
});

test('a fixed figure keeps its zeros, a signed one has a plus', () => {
  expect(roundedText('2.5', { decimals: 2, isFixed: true })).toBe('2.50');
  expect(roundedText('2.5', { decimals: 2, isSigned: true })).toBe('+2.5');
  expect(roundedText('0', { decimals: 2, isSigned: true })).toBe('0');
});

test('an exact figure loses no digit', () => {
  expect(exactText('12345.678901234567890123')).toBe('12,345.678901234567890123');
  expect(exactText('-0.10')).toBe('−0.10');
});

test('a share is shown in percent', () => {
  expect(percentText(0.12345)).toBe('12.3 %');
});
