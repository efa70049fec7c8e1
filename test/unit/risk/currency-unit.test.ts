/** Exact amounts, the profit of a pair and shares, against plain bigints. */
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { formatAmount, powerOfTen } from '../../../src/domain/amount.ts';
import { CurrencyUnit, CurrencyUnits } from '../../../src/risk/currency-unit.ts';
import { valueWithin, withFeeBuffer } from '../../../src/risk/fee-buffer.ts';
import { PairFlow } from '../../../src/risk/pair-flow.ts';
import { isWithinShare, shareOf, shareText } from '../../../src/risk/share.ts';
import { productOf, sumOf } from '../../../src/risk/whole-numbers.ts';
import { market } from './open-gate.ts';

const one = powerOfTen(18);
const unit = fc.integer({ min: 0, max: 18 }).map((scale) => new CurrencyUnit('XBT', scale));
/** Amounts of few and of many decimals, some of them near 2^53 units. */
const amount = fc
  .tuple(
    fc.oneof(
      fc.bigInt({ min: -2_000n, max: 2_000n }),
      fc.bigInt({ min: 2n ** 53n - 3n, max: 2n ** 53n + 3n }),
      fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }),
    ),
    fc.integer({ min: 0, max: 18 }),
  )
  .map(([count, decimals]) => count * powerOfTen(18 - decimals));
/** Of positive numbers, rounded up. */
const ceiling = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

describe('CurrencyUnit', () => {
  it('adds and compares as plain integers, and equal amounts are equal values', () => {
    fc.assert(
      fc.property(unit, amount, fc.array(amount, { maxLength: 12 }), (of, first, added) => {
        let sum = of.of(first);
        let exact = first;
        for (const next of added) {
          sum = of.plus(sum, of.of(next));
          exact += next;
          expect(of.amount(sum)).toBe(exact);
          expect(of.amount(of.minus(of.of(next), sum))).toBe(next - exact);
          expect(of.isAtMost(sum, of.of(next))).toBe(exact <= next);
          expect(of.isAtMost(of.of(next), sum)).toBe(next <= exact);
          expect(sum === of.of(next)).toBe(exact === next);
          expect(sum > 0).toBe(exact > 0n);
        }
      }),
    );
  });

  it('is a number for whole units up to 2^53, a bigint otherwise', () => {
    const cents = new CurrencyUnit('ZAR', 2);
    expect(cents.of(5n * one)).toBe(500);
    expect(cents.of(one / 1_000n)).toBe(one / 1_000n);
    expect(cents.plus(Number.MAX_SAFE_INTEGER, 1)).toBe(2n ** 53n * powerOfTen(16));
    expect(cents.plus(cents.plus(Number.MAX_SAFE_INTEGER, 1), -1)).toBe(Number.MAX_SAFE_INTEGER);
    expect(cents.scaled(3, 5)).toBe(3n * powerOfTen(13));
    expect(cents.scaled(3_000, 5)).toBe(3);
  });

  it('is the finest step of volumes, values and fees of all markets', () => {
    const fine = { ...market, pair: 'XBTEUR', counter: 'EUR', volumeScale: 8, priceScale: 0 };
    const units = new CurrencyUnits([market, { ...fine, feeScale: 10 }, { ...fine, feeScale: 2 }]);
    const scales = ['XBT', 'ZAR', 'EUR', 'ETH'].map((currency) => units.of(currency).scale);
    expect(scales).toEqual([10, 8, 10, 18]);
  });
});

test('whole numbers of any size', () => {
  const whole = fc.oneof(
    fc.maxSafeInteger().map(BigInt),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  );
  fc.assert(
    fc.property(whole, whole, (a, b) => {
      const [left, right] = [sumOf(0, a), sumOf(0, b)];
      expect(BigInt(sumOf(left, right))).toBe(a + b);
      expect(BigInt(productOf(left, right))).toBe(a * b);
      expect(typeof sumOf(left, right)).toBe(
        Number.isSafeInteger(Number(a + b)) ? 'number' : 'bigint',
      );
    }),
  );
});

test('the profit of a pair is exact, and rounded down to 10^-18', () => {
  const scale = fc.constantFrom(0, 2, 8, 10);
  const price2 = fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.maxSafeInteger());
  fc.assert(
    fc.property(scale, scale, scale, amount, amount, price2, (ticks, lots, fee, b, c, price) => {
      const traded = {
        ...market,
        priceScale: Math.min(ticks, 8),
        volumeScale: lots,
        feeScale: fee,
      };
      const flow = new PairFlow(traded);
      flow.add(b, c);
      const per = 2n * powerOfTen(traded.priceScale);
      const value = b * BigInt(price);
      const profit = c + (value - (((value % per) + per) % per)) / per;
      expect(flow.profit(price)).toBe(profit);
    }),
  );
});

test('shares and the fee buffer, with few and with eighteen decimals', () => {
  const text = fc.constantFrom('0', '0.01', '0.002', '1', '0.0000001', '0.012345678901234567');
  const count = fc.oneof(
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 1 }).map((n) => n * 4_000_000),
  );
  fc.assert(
    fc.property(text, count, count, unit, amount, (written, part, whole, of, drawn) => {
      const share = shareOf(written);
      const scaled = (BigInt(share.part ?? -1) * one) / BigInt(share.whole);
      expect(isWithinShare(part, whole, share)).toBe(BigInt(part) * one <= scaled * BigInt(whole));
      expect(shareText(part, whole)).toBe(formatAmount(ceiling(BigInt(part) * one, BigInt(whole))));
      const value = drawn < 0n ? -drawn : drawn;
      const needed = of.amount(withFeeBuffer(of, of.of(value), share) ?? -1);
      expect(needed).toBe(value + ceiling(value * scaled, one));
      const most = of.amount(valueWithin(of, of.of(value), share));
      expect(most + ceiling(most * scaled, one) <= value).toBe(true);
      expect(most + 1n + ceiling((most + 1n) * scaled, one) > value).toBe(true);
    }),
  );
  expect(isWithinShare(0, 1, shareOf(undefined))).toBe(false);
  expect(withFeeBuffer(new CurrencyUnit('ZAR', 2), 1, shareOf('x'))).toBeUndefined();
});
