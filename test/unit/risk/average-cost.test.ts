/** The average price is the exact quotient of cost and position, rounded once to 40 digits. */
import { expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.ts';
import { AverageCost } from '../../../src/risk/average-cost.ts';
import { createSeededRandom } from '../../../src/runtime/seeded-random.ts';

test('random positions, long and short, of every size', () => {
  const random = createSeededRandom('average-cost');
  const integer = (digitsMax: number): bigint => {
    let digits = String(random.integer(1, 9));
    const length = random.integer(1, digitsMax);
    while (digits.length < length) digits += String(random.integer(0, 9));
    return BigInt(digits);
  };
  for (let round = 0; round < 2_000; round++) {
    const sign = random.integer(0, 1) === 0 ? 1n : -1n;
    const held = sign * integer(26);
    const paid = sign * integer(34);
    const price = new AverageCost(held, paid).priceOf(held);
    expect(price?.toString()).toBe(new Decimal(String(paid)).div(String(held)).toString());
  }
});
