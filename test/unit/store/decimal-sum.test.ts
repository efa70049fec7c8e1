/** Exact sums of decimal text, against decimal.js. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Decimal, formatDecimal } from '../../../src/domain/money.ts';
import { DecimalSum } from '../../../src/store/decimal-sum.ts';

function sumOf(...texts: unknown[]): string {
  const sum = new DecimalSum();
  for (const text of texts) sum.add(text);
  return sum.toString();
}

test.each([
  [[], '0'],
  [['0.1', '0.2'], '0.3'],
  [['100'], '100'],
  [['1.50', '0.50'], '2'],
  [['-0.001', '0.0005'], '-0.0005'],
  [['-1', '1.000'], '0'],
  [['123456789012.123456789012345678', '0.000000000000000001'], '123456789012.123456789012345679'],
  [['10', '0.00'], '10'],
])('the sum of %j is %s', (texts, sum) => {
  expect(sumOf(...texts)).toBe(sum);
});

test('the sum of any plain decimals equals that of decimal.js', () => {
  const text = fc
    .tuple(fc.boolean(), fc.bigInt({ min: 0n, max: 10n ** 12n }), fc.stringMatching(/^\d{0,18}$/u))
    .map(([minus, whole, part]) => `${minus ? '-' : ''}${whole}${part === '' ? '' : `.${part}`}`);
  fc.assert(
    fc.property(fc.array(text), (texts) => {
      const slow = texts.reduce((sum, each) => sum.plus(each), new Decimal(0));
      expect(sumOf(...texts)).toBe(formatDecimal(slow));
    }),
  );
});

test.each(['', '1e3', '0x10', '1_000', ' 1', '+1', '.5', '1.', 'NaN', 1, 1.5, null, undefined])(
  '%j is refused',
  (text) => {
    expect(() => sumOf(text)).toThrow(RangeError);
  },
);
