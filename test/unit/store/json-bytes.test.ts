/** Numbers and texts as bytes equal those of `JSON.stringify`, in a buffer that grows. */
import { expect, test } from 'vitest';
import { JsonBytes } from '../../../src/store/json-bytes.ts';

function textOf(write: (bytes: JsonBytes) => void, capacity = 1): string {
  const json = new JsonBytes(capacity);
  write(json);
  return json.bytes.toString('utf8', 0, json.length);
}

test.each([
  ...[0, 1, 9, 10, 99_999_999, 100_000_000, 100_000_001, 1_700_000_000_000, 2 ** 31, 2 ** 32 + 1],
  ...[Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1, -1, -1.5, 0.25, 1e21, 1e-9],
])('the number %d', (value) => {
  expect(textOf((json) => json.number(value))).toBe(JSON.stringify(value));
});

test('powers of ten and their neighbours', () => {
  const values = Array.from({ length: 16 }, (_, exponent) => 10 ** exponent).flatMap((power) => [
    ...[power - 1, power, power + 1],
  ]);
  const write = (json: JsonBytes): void => {
    for (const value of values) {
      json.number(value);
      json.byte(10);
    }
  };
  expect(textOf(write)).toBe(values.map((value) => `${value}\n`).join(''));
});

test.each([
  '',
  'plain',
  'a "quote"',
  'back\\slash',
  'line\n',
  '\u007f',
  'é',
  '漢字',
  '\ud800',
  '😀',
])('the text %j', (text) => {
  const expected = `x${JSON.stringify(text)}y`;
  const write = (json: JsonBytes): void => {
    json.byte(120);
    json.quoted(text);
    json.add(Buffer.from('y'));
  };
  expect(textOf(write)).toBe(expected);
  expect(textOf(write, 1_000)).toBe(expected);
});
