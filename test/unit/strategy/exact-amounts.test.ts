/** Counts as decimals, against decimal.js without memory. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.ts';
import { ExactAmounts } from '../../../src/strategy/exact-amounts.ts';

const amounts = new ExactAmounts(8);
const one = new Decimal(10).pow(8);

test('a count is what it is divided by its scale, however often it is asked for', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), (count) => {
      const text = new Decimal(count).div(one).toFixed();
      expect([amounts.of(count).toFixed(), amounts.of(count).toFixed()]).toEqual([text, text]);
    }),
  );
});

test('a product is exact, also beyond 53 bits', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), fc.integer(), (price, volume) => {
      const text = new Decimal(price).times(volume).div(one).toFixed();
      expect(amounts.ofProduct(price, volume).toFixed()).toBe(text);
    }),
  );
});

test('the same count is the same object, until too many others came', () => {
  const first = amounts.of(7);
  expect(amounts.of(7)).toBe(first);
  for (let count = 100; count < 1_200; count++) amounts.of(count);
  expect(amounts.of(7)).not.toBe(first);
  expect(amounts.of(7).eq(first)).toBe(true);
});
