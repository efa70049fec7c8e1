/** Prices and volumes: decimal text as a whole number of steps. */
import { expect, test } from 'vitest';
import { isPlainDecimal, parseScaled } from '../../../src/domain/money.ts';
import { SeededRandom } from '../../support/seeded-random.ts';

/** Like {@link parseScaled}, implemented with a pattern and bigints. */
function scaledOf(text: string, scale: number): number | undefined {
  if (!isPlainDecimal(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  if (/[1-9]/u.test(decimals.slice(scale))) return undefined;
  const steps = BigInt(whole + decimals.slice(0, scale).padEnd(scale, '0'));
  const count = Number(steps);
  return Number.isSafeInteger(count) ? count : undefined;
}

test.each([
  '',
  '-',
  '.',
  '.5',
  '5.',
  '-.5',
  '1.2.3',
  '--1',
  '1-',
  '01',
  '00',
  '1e3',
  ' 1',
  '1\u0660',
])('%j is not a whole number of steps', (text) => {
  for (const scale of [0, 1, 2, 18]) expect(parseScaled(text, scale)).toBeUndefined();
});

test.each([
  ['0', 2, 0],
  ['-0.00', 2, 0],
  ['1.5', 1, 15],
  ['1.5', 0, undefined],
  ['1.500', 1, 15],
  ['-12.34', 4, -123_400],
  ['9007199254740991', 0, Number.MAX_SAFE_INTEGER],
  ['9007199254740992', 0, undefined],
  [`0.${'0'.repeat(30)}`, 0, 0],
  [`0.${'0'.repeat(31)}`, 0, undefined],
  ['1'.repeat(30), 0, undefined],
])('%s of %i decimals are %s steps', (text, scale, steps) => {
  expect(parseScaled(text, scale)).toBe(steps);
});

test('every text gives the same result as with a pattern and bigints', () => {
  const random = new SeededRandom(3);
  let read = 0;
  for (let turn = 0; turn < 20_000; turn++) {
    const length = random.integer(0, random.integer(1, 40));
    const text = Array.from({ length }, () => random.pick([...'001234567899.-'])).join('');
    const scale = random.integer(0, 9);
    const steps = scaledOf(text, scale);
    if (steps !== undefined) read++;
    expect(parseScaled(text, scale)).toBe(steps === 0 ? 0 : steps);
  }
  expect(read).toBeGreaterThan(1_000);
});
