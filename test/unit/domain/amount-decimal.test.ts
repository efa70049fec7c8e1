/** An amount as a decimal is what its text would make, whatever its size. */
import { expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import { decimalOfAmount, quotientOfAmounts } from '../../../src/domain/amount-decimal.ts';
import { Decimal } from '../../../src/domain/money.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

function expectSame(amount: bigint): void {
  const made = decimalOfAmount(amount);
  const known = new Decimal(formatAmount(amount));
  expect([made.s, made.e, made.d]).toEqual([known.s, known.e, known.d]);
  expect(made.plus(1).toString()).toBe(known.plus(1).toString());
}

test.each([0n, 1n, -1n, 10n ** 4n, 10n ** 11n, 10n ** 18n, -(10n ** 18n), 10n ** 32n])(
  'the amount %s',
  expectSame,
);

test('random amounts of every length, with and without zeros at their end', () => {
  const random = createSeededRandom('amounts');
  for (let round = 0; round < 5_000; round++) {
    let digits = String(random.integer(1, 9));
    const length = random.integer(1, 34);
    while (digits.length < length) digits += String(random.integer(0, 9));
    const zeros = random.integer(0, 9) > 6 ? 10n ** BigInt(random.integer(0, 8)) : 1n;
    const amount = BigInt(digits) * zeros;
    expectSame(random.integer(0, 1) === 0 ? amount : -amount);
  }
});

function expectSameQuotient(dividend: bigint, divisor: bigint): void {
  const made = quotientOfAmounts(dividend, divisor);
  const known = decimalOfAmount(dividend).div(decimalOfAmount(divisor));
  expect([made.s, made.e, made.d], `${dividend} / ${divisor}`).toEqual([known.s, known.e, known.d]);
}

test('quotients of random amounts are those of decimals, to the last digit', () => {
  const random = createSeededRandom('quotients');
  const amount = (): bigint => {
    let digits = String(random.integer(1, 9));
    const length = random.integer(1, [3, 20, 36, 50][random.integer(0, 3)] as number);
    const figures = ['0123456789', '09', '05'][random.integer(0, 2)] as string;
    while (digits.length < length) digits += figures[random.integer(0, figures.length - 1)];
    return random.integer(0, 1) === 0 ? BigInt(digits) : -BigInt(digits);
  };
  for (let round = 0; round < 20_000; round++) expectSameQuotient(amount(), amount());
});

test('quotients at powers of ten, exact halves, and of zero', () => {
  for (let power = 0n; power < 40n; power++)
    for (const near of [-1n, 0n, 1n]) {
      expectSameQuotient(10n ** power + near, 7n);
      expectSameQuotient(3n, 10n ** power + near + 3n);
      expectSameQuotient(10n ** 20n, 10n ** power + near + 3n);
    }
  // With one digit more than is kept, which is a 5.
  for (let odd = 1n; odd < 40n; odd += 2n) {
    expectSameQuotient(10n ** 40n + odd * 5n, 10n ** 18n);
    expectSameQuotient((10n ** 40n + odd) * 3n, 6n * 10n ** 7n);
  }
  expectSameQuotient(0n, 5n);
  expectSameQuotient(0n, -5n);
});
