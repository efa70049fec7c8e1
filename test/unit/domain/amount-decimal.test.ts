/** An amount as a decimal is what its text would make, whatever its size. */
import { expect, test } from 'vitest';
import { formatAmount } from '../../../src/domain/amount.ts';
import { decimalOfAmount } from '../../../src/domain/amount-decimal.ts';
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
