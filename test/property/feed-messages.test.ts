/** Whatever a feed sends, it is numbers with all their digits or a reason, and changes nothing. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DecodeError } from '../../src/domain/errors.ts';
import { isPlainDecimal } from '../../src/domain/money.ts';
import { valuesOfJson, valuesOfRow } from '../../src/feeds/message-values.ts';

const rule = { fields: { value: 'data.price', last: '0' }, time: undefined };
const names = ['data', 'price', 'value', '0', '__proto__', 'constructor', 'length', 'toString'];
const path = fc.array(fc.constantFrom(...names), { minLength: 1, maxLength: 4 });
const number = fc
  .tuple(
    fc.bigInt({ min: -(10n ** 30n) + 1n, max: 10n ** 30n - 1n }),
    fc.stringMatching(/^\d{0,18}$/u),
  )
  .map(([whole, decimals]) => (decimals === '' ? String(whole) : `${whole}.${decimals}`));

/** Reads a message; returns its numbers, or undefined if it is refused with a reason. */
function read(work: () => { readonly values: Readonly<Record<string, string>> }) {
  try {
    return work().values;
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    expect((error as Error).message.length).toBeLessThan(300);
    return undefined;
  }
}

test('any text is read or refused', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.json(),
    fc.tuple(fc.json(), fc.nat(200)).map(([json, at]) => json.slice(0, at)),
  );
  fc.assert(
    fc.property(text, path, (given, places) => {
      const fields = { value: places.join('.') };
      for (const values of [
        read(() => valuesOfJson(given, { fields, time: undefined })),
        read(() => valuesOfJson(given, { fields: { value: '' }, time: 'data' })),
        read(() => valuesOfRow('time_ms,value', given, rule)),
      ])
        for (const value of Object.values(values ?? {})) expect(isPlainDecimal(value)).toBe(true);
      expect(Object.keys(Object.prototype)).toEqual([]);
    }),
    { numRuns: 3_000 },
  );
});

test('a number keeps its digits, as a number and as text', () => {
  fc.assert(
    fc.property(number, (value) => {
      const text = `{"data":{"price":${value}},"0":"${value}"}`;
      expect(read(() => valuesOfJson(text, rule))).toEqual({ value, last: value });
    }),
    { numRuns: 2_000 },
  );
});
