/** An amount with too many digits gets an error that says how many are allowed. */
import { expect, test } from 'vitest';
import { botSettingsIn, edited } from './bot-file.ts';

test.each([
  ['1234567890123', true],
  ['0.0000000000000000001', true],
  ['x', false],
  ['-1', false],
])('a limit of "%s"', (text, isTooLong) => {
  const read = (): unknown =>
    botSettingsIn(edited('orderBaseMax: "0.02"', `orderBaseMax: "${text}"`));
  expect(read).toThrow(`orderBaseMax: was "${text}"; allowed: a decimal in quotes, 0 or more, `);
  const digits = 'with at most 12 digits before the point and 18 after it';
  if (isTooLong) expect(read).toThrow(digits);
  else expect(read).not.toThrow(digits);
});
