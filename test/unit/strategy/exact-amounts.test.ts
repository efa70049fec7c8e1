/** Counts as decimals, compared with decimal.js without a cache. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.ts';
import { ExactAmounts } from '../../../src/strategy/exact-amounts.ts';

const amounts = new ExactAmounts(8);
const one = new Decimal(10).pow(8);

test('a count is divided by its scale, however often it is read', () => {
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

test('the same count returns the same object, until the cache is full', () => {
  const first = amounts.of(7);
  expect(amounts.of(7)).toBe(first);
  for (let count = 100; count < 1_200; count++) amounts.of(count);
  expect(amounts.of(7)).not.toBe(first);
  expect(amounts.of(7).eq(first)).toBe(true);
});
