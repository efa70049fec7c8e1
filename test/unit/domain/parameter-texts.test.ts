/** What an operator types behind `set`: names and values, and what is refused before a bot asks. */
import { expect, test } from 'vitest';
import { parseParameterTexts } from '../../../src/domain/parameter-texts.ts';

test('words become values by name; a value may have an equals sign', () => {
  expect(parseParameterTexts(['halfSpread=30bps', 'note=a=b'])).toEqual({
    ...{ halfSpread: '30bps', note: 'a=b' },
  });
});

test.each([
  [['halfSpread'], /^a value must be a parameter with its value, such as .*, was "halfSpread"$/u],
  [['halfSpread='], /was "halfSpread="$/u],
  [['=3'], /was "=3"$/u],
  [['a=1', 'a=2'], '"a" is given twice'],
  [['a.b=1'], /^the name of a parameter must be at most 64 letters, .*, was "a\.b"$/u],
  [[`a=${'1'.repeat(10_000)}`], /^a must be one line of 1 to 100 characters, was "1{59}… \(10002/u],
  [[], /^there must be 1 to 20 values/u],
])('%j is refused', (words, message) => {
  expect(() => parseParameterTexts(words)).toThrow(message);
});
