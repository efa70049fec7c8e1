/** Sums in whole units and a rest, and the bounds of a profit, against plain bigints. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CurrencyUnits } from '../../../src/risk/currency-units.ts';
import { PairFlow } from '../../../src/risk/pair-flow.ts';
import { UnitSum, unitAmountOf, wholeUnitAmount } from '../../../src/risk/unit-amount.ts';
import { unitsAbove, unitsBelow } from '../../../src/risk/whole-units.ts';
import { market } from './open-gate.ts';

const large = 10n ** 30n;
const amount = fc.oneof(
  fc.bigInt({ min: -2_000n, max: 2_000n }),
  fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
  fc.bigInt({ min: -large, max: large }),
);
const numberOf = (whole: number) => (Number.isNaN(whole) ? undefined : BigInt(whole));
const unit = fc.constantFrom(1n, 10n, 10n ** 8n, 10n ** 18n);

describe('UnitSum', () => {
  it('is the exact sum, and its units are rounded as a division would', () => {
    fc.assert(
      fc.property(unit, amount, fc.array(amount, { maxLength: 20 }), (perUnit, first, added) => {
        const sum = new UnitSum(perUnit);
        expect([sum.amount, sum.below, sum.above, sum.isZero]).toEqual([0n, 0, 0, true]);
        sum.set(first);
        let exact = first;
        for (const one of added) {
          sum.add(unitAmountOf(one, perUnit));
          exact += one;
          // Only the sum itself must fit 2^53, not the amounts that made it.
          expect([sum.below, sum.above]).toEqual([
            unitsBelow(exact, perUnit),
            unitsAbove(exact, perUnit),
          ]);
          const whole = (exact + 7n * perUnit) / perUnit;
          expect([whole, undefined]).toContain(numberOf(sum.wholeWith(7)));
        }
        expect(sum.amount).toBe(exact);
        expect(sum.isZero).toBe(exact === 0n);
      }),
    );
  });

  it('takes whole units as the same amount', () => {
    const perUnit = 10n ** 10n;
    expect(wholeUnitAmount(-7, perUnit)).toEqual(unitAmountOf(-7n * perUnit, perUnit));
    expect(wholeUnitAmount(2n ** 60n, perUnit)).toEqual(unitAmountOf(2n ** 60n * perUnit, perUnit));
  });
});

describe('PairFlow', () => {
  it.each([
    ['the same units', [market]],
    ['finer units, of another market', [market, { ...market, pair: 'Z', volumeScale: 9 }]],
  ])('has bounds around the exact profit, in %s', (_name, markets) => {
    const units = new CurrencyUnits(markets);
    const flow = new PairFlow(market, units);
    const perUnit = units.amountPerUnit(market.counter);
    const price2 = fc.integer({ min: 0, max: 400_000_000 });
    const small = fc.bigInt({ min: -(10n ** 21n), max: 10n ** 21n });
    fc.assert(
      fc.property(small, amount, price2, (base, counter, price) => {
        flow.set(base, counter);
        const profit = flow.profit(price) as bigint;
        const below = flow.twiceProfitBelow(price);
        const above = flow.twiceProfitAbove(price);
        if (!Number.isNaN(below)) expect(BigInt(below) * perUnit <= 2n * profit + 1n).toBe(true);
        if (!Number.isNaN(above)) expect(BigInt(above) * perUnit >= 2n * profit).toBe(true);
      }),
    );
  });
});
