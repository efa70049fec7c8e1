/** The scalar codecs: what they accept and refuse. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { parseDecimal } from '../../../../../src/domain/money.ts';
import { operations } from '../../../../../src/venues/luno/api/operations.ts';
import {
  amount,
  amountOrZero,
  integer,
  integerId,
  list,
  optionalList,
  optionalMember,
  optionalText,
  streamSequence,
  textId,
  time,
} from '../../../../../src/venues/luno/api/wire.ts';
import { parseWireJson, stringifyWireJson } from '../../../../../src/venues/luno/api/wire-json.ts';

const read = (schema: z.ZodType, text: string): unknown => {
  const result = schema.safeParse(parseWireJson(text));
  return result.success ? result.data : 'refused';
};

describe('amounts', () => {
  test.each([
    ['"0.10"', '0.10'],
    ['"-0.0001"', '-0.0001'],
    ['0.8000002', '0.8000002'],
    ['1e-7', '0.0000001'],
    ['1e20', '100000000000000000000'],
    ['123456789012.12345678', '123456789012.12345678'],
    ['9007199254740993', '9007199254740993'],
    ['-0', '0'],
  ])('%s reads as %s', (text, value) => expect(read(amount, text)).toBe(value));
  test.each([
    ...['""', '" 1"', '"1e-8"', '"1E5"', '"0x10"', '"0b11"', '"1_000"', '"+1"', '".5"', '"1."'],
    ...['"Infinity"', '"NaN"', '"١٢"', '"１２"', '"1,5"', '"01"', 'null', '[]', '{}', 'true'],
    ...['1e400', '1e300', '0.1234567890123456789e-12', `"${'9'.repeat(40)}"`],
  ])('%s is refused', (text) => expect(read(amount, text)).toBe('refused'));
  test('every accepted amount is a valid decimal', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.double(), fc.bigInt()), (wire) => {
        const result = amount.safeParse(wire);
        return !result.success || parseDecimal(result.data) !== undefined;
      }),
    );
  });
  test('an optional amount is missing, null, empty or zero, and is written as zero', () => {
    const schema = z.object({ stop: amountOrZero });
    for (const body of [{}, { stop: null }, { stop: '' }, { stop: '0' }, { stop: '0.00' }])
      expect(schema.parse(body).stop).toBe(undefined);
    expect(z.encode(schema, { stop: undefined })).toEqual({ stop: '0' });
    expect(schema.parse({ stop: 1.5 }).stop).toBe('1.5');
    expect(schema.safeParse({ stop: 'x' }).success).toBe(false);
  });
});

describe('64-bit integers', () => {
  test.each([
    ['8203463422864003664', '8203463422864003664'],
    ['"8203463422864003664"', '8203463422864003664'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['"007"', '7'],
  ])('%s reads as %s', (text, value) => {
    expect(read(textId, text)).toBe(value);
    expect(read(integerId, text)).toBe(value);
  });
  test.each(['9223372036854775808', '"9223372036854775808"', '1.5', '1e19', '"1e3"', '""', 'null'])(
    '%s is refused',
    (text) => expect(read(textId, text)).toBe('refused'),
  );
  test('both are written as documented', () => {
    expect(stringifyWireJson(z.encode(textId, '8203463422864003664'))).toBe(
      '"8203463422864003664"',
    );
    expect(stringifyWireJson(z.encode(integerId, '8203463422864003664'))).toBe(
      '8203463422864003664',
    );
  });
  test('every integer survives JSON in both directions', () => {
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (number) => {
        const text = stringifyWireJson({ id: z.encode(integerId, number.toString()) });
        const { id } = parseWireJson(text) as { id: unknown };
        return text === `{"id":${number}}` && integerId.parse(id) === number.toString();
      }),
    );
  });
  test.each(['"-1"', '-1', '"1e3"', 'null'])('the sequence %s is refused', (text) =>
    expect(read(streamSequence, text)).toBe('refused'),
  );
  test('a sequence above 2^53 stays exact', () => {
    expect(read(streamSequence, '"9007199254740993"')).toBe('9007199254740993');
    expect(read(streamSequence, '9007199254740993')).toBe('9007199254740993');
  });
});

describe('times', () => {
  test.each([
    ['1746473170125', 1746473170125],
    ['"1746473170125"', 1746473170125],
    ['"2025-05-05T19:26:10.125Z"', 1746473170125],
    ['"2025-05-05T21:26:10.125123456+02:00"', 1746473170125],
    // The examples of the documents, and rows from the first years of the interface.
    ['1528884331021', 1528884331021],
    ['1390694400000', 1390694400000],
    ['0', 0],
  ])('%s reads as %d', (text, value) => expect(read(time, text)).toBe(value));
  test.each([
    ...['1746473170', '1746473170125000', '1746473170125000000', '1746473170125.5', '-1', '1'],
    ...['"May 2025"', '"2025-05-05"', '"now 2025"', '""', 'null', '"2025-13-45T99:00:00Z"'],
  ])('%s is refused', (text) => expect(read(time, text)).toBe('refused'));
});

test.each([
  ['7', 7],
  ['"7"', 7],
  ['1.5', 'refused'],
  ['"7x"', 'refused'],
  ['9007199254740993', 'refused'],
])('%s as a count is %s', (text, value) => expect(read(integer, text)).toBe(value));

test('null is an empty list, a missing list is an error', () => {
  const schema = z.object({ orders: list(optionalText) });
  expect(schema.parse({ orders: null })).toEqual({ orders: [] });
  expect(schema.parse({ orders: ['a', null] })).toEqual({ orders: ['a', ''] });
  expect(schema.safeParse({}).success).toBe(false);
  expect(z.object({ trades: optionalList(optionalText) }).parse({})).toEqual({ trades: [] });
});

describe('an optional member', () => {
  const schema = z.object({ fee: optionalMember(amount) });
  test('reads null as missing, and is written if present', () => {
    for (const body of [{}, { fee: null }]) expect(schema.parse(body)).toEqual({});
    expect(schema.parse({ fee: 0.5 })).toEqual({ fee: '0.5' });
    expect(z.encode(schema, {})).toEqual({});
    expect(z.encode(schema, { fee: '0.5' })).toEqual({ fee: '0.5' });
    expect(schema.safeParse({ fee: 'x' }).success).toBe(false);
  });
  test('may be null in every answer, such as that of a send', () => {
    const send = {
      ...{ id: '1', currency: 'XBT', walletId: '2', targetAddress: 'a', amount: '1', fee: '0.1' },
      ...{ createdAt: 1746473170125, updatedAt: 1746473170125, status: 'PENDING' },
    };
    const read = operations.createCryptoSend.response.parse({ ...send, description: null });
    expect(read).toEqual(send);
  });
});

test('no number in a body is rounded', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{0,20}(?:\.\d{1,20})?$/u), (digits) => {
      const value = parseWireJson(`[${digits}]`) as readonly unknown[];
      const kept = amount.parse(value[0]);
      return parseDecimal(kept)?.eq(parseDecimal(digits) ?? 0) === true;
    }),
  );
});
