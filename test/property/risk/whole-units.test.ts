/** The cheap bound of an amount in whole units, against the exact division. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { powerOfTen } from '../../../src/domain/amount.ts';
import { unitsBelow, unitsSurelyBelow } from '../../../src/risk/whole-units.ts';

const amounts = fc.bigInt({ min: -(10n ** 34n), max: 10n ** 34n });

test('the cheap bound is never above the exact count and at most four units below it', () => {
  fc.assert(
    fc.property(amounts, fc.integer({ min: 0, max: 18 }), (amount, decimals) => {
      const unit = powerOfTen(decimals);
      const bound = unitsSurelyBelow(amount, unit);
      if (Number.isNaN(bound)) {
        const size = amount < 0n ? -amount : amount;
        expect(size / unit > 2n ** 51n).toBe(true);
        return;
      }
      const exact = unitsBelow(amount, unit);
      expect(bound).toBeLessThanOrEqual(exact);
      expect(exact - bound).toBeLessThanOrEqual(4);
    }),
    { numRuns: 2_000 },
  );
});

test('a bound of what is just below a unit is not above it', () => {
  const unit = powerOfTen(9);
  for (const count of [1n, 10n ** 6n, 2n ** 51n]) {
    expect(unitsSurelyBelow(count * unit - 1n, unit)).toBeLessThan(Number(count));
    expect(unitsSurelyBelow(count * unit, unit)).toBeGreaterThanOrEqual(Number(count) - 4);
  }
});
