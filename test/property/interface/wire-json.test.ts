/** Texts with long numbers: the fast way gives what a function for each number gives. */
import { describe, expect, test } from 'vitest';
import { Decimal } from '../../../src/domain/money.ts';
import { parseWireJson } from '../../../src/venues/luno/api/wire-json.ts';
import { SeededRandom } from '../../support/seeded-random.ts';
import { mutate } from '../../support/wire-mutants.ts';

/** The definition: each number by itself. */
function reference(text: string): unknown {
  return JSON.parse(text, (_key, value: unknown, { source = '' }: { source?: string } = {}) => {
    if (typeof value !== 'number' || source.length < 16) return value;
    if (/^-?\d+$/u.test(source)) return Number.isSafeInteger(value) ? value : BigInt(source);
    return Number.isFinite(value) && new Decimal(source).eq(value) ? value : source;
  });
}

/** The value as text that shows types, order of members, and what is beneath `__proto__`. */
function shown(parse: (text: string) => unknown, text: string): string {
  try {
    return JSON.stringify(parse(text), (_key, value: unknown) =>
      typeof value === 'bigint' ? `bigint ${value}` : value,
    );
  } catch (error) {
    return error instanceof Error ? error.name : 'no error';
  }
}

const samples = [
  '{"account_id":8530547527774927743,"row_index":796,"balance":"1.00","available_delta":"990.3"}',
  '{"type":"balance_update","balance_update":{"account_id":8530547527774927736,"balance":"1"}}',
  '[{"id":8530547527774927736,"n":1},{"id":8530547527774927743,"n":[9007199254740991]}]',
  '{"a":9007199254740991,"b":9007199254740992,"c":-9007199254740993,"d":1000000000000000}',
  '{"a":123456789012.12345678,"b":0.1000000000000000,"c":12345678901234567890}',
  '{"__proto__":1234567890123456789,"a":{"__proto__":{"b":1234567890123456789}}}',
  '{"a":"\\u00001234567890123456789","b":1234567890123456789}',
  '{"text":"\\"id\\":1234567890123456789}","id":1234567890123456789}',
  '{"a":":1234567890123456789,","b\\\\":1234567890123456789,"c\\"":1234567890123456789}',
  '{ "a" : 1234567890123456789 , "b":\n1234567890123456789}',
  '{"2":1234567890123456789,"1":1234567890123456788,"2":1234567890123456787}',
  '1234567890123456789',
];

test.each(samples)('%s', (text) => {
  expect(shown(parseWireJson, text)).toBe(shown(reference, text));
});

test.each([
  '{"a"b":1234567890123456789}',
  '{1234567890123456789:1}',
  '{"a":01234567890123456789}',
  '{"a":1234567890123456789"b":1}',
  '{"a":"b"c":1234567890123456789,"}',
])('%s is invalid', (text) => {
  expect(() => parseWireJson(text)).toThrow(SyntaxError);
});

test('a text nested too deeply is a RangeError', () => {
  const text = `${'{"a":'.repeat(100_000)}1234567890123456789${'}'.repeat(100_000)}`;
  expect(() => parseWireJson(text)).toThrow(RangeError);
});

test('a long text of digits takes no longer than its characters', () => {
  const digits = '1234567890.'.repeat(40_000);
  const text = JSON.stringify({ digits, more: [digits, digits] });
  const startedMs = performance.now();
  expect(parseWireJson(text)).toEqual({ digits, more: [digits, digits] });
  // It takes some 20 ms; character by character for each sixteenth one, it would be minutes.
  expect(performance.now() - startedMs).toBeLessThan(2_000);
});

describe.each([1, 2, 3, 4])('changed at random, seed %i', (seed) => {
  test('texts are read as by the reference', () => {
    const random = new SeededRandom(seed);
    const met = { valid: 0, invalid: 0 };
    for (let count = 0; count < 10_000; count++) {
      let text = random.pick(samples);
      for (let changes = random.integer(1, 3); changes > 0; changes--) text = changed(text, random);
      const expected = shown(reference, text);
      expect(shown(parseWireJson, text), text).toBe(expected);
      met[expected === 'SyntaxError' ? 'invalid' : 'valid']++;
    }
    expect(Math.min(met.valid, met.invalid)).toBeGreaterThan(1_000);
  });
});

const insertions = ['"', '\\', '"a":', ':', ',', '}', '1234567890123456', '0', ' ', '\\u0000', '-'];

function changed(text: string, random: SeededRandom): string {
  if (random.fraction() < 0.5) return mutate(text, random);
  const at = random.integer(0, text.length);
  return text.slice(0, at) + random.pick(insertions) + text.slice(at);
}
