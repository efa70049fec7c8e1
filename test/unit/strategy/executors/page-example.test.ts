/** The strategies of `docs/executors.md`. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { amount, defineStrategy, span, twap } from '../../../../src/index.ts';
import { fakeContext } from '../../../../src/testing.ts';
import buyAndWatch from '../../../fixtures/strategies/buy-and-watch/strategy.ts';

const root = join(import.meta.dirname, '../../../..');

test('the page has the text of the strategy, which buys a slice a minute', () => {
  const page = readFileSync(join(root, 'docs/executors.md'), 'utf8');
  const file = join(root, 'test/fixtures/strategies/buy-and-watch/strategy.ts');
  expect(page).toContain(
    readFileSync(file, 'utf8').replace('../../../../src/index.ts', 'millrace'),
  );
  const { lines } = fakeContext(buyAndWatch, {
    top: ['a', { a: { bid: '9999', ask: '10001' } }],
    fills: ['f', { f: {} }],
    for: '1m',
  });
  const slices = lines.filter((line) => line.includes('BID 0.008333 at 10011 IOC'));
  expect(slices.map((line) => line.split(' ')[0])).toEqual(['0ms', '1m']);
});

test('options may come from parameters', () => {
  const strategy = defineStrategy({
    name: 'own',
    parameters: z.strictObject({ total: amount, duration: span, slices: z.int() }),
    pairs: 1,
    run: (context) => twap({ ...context.parameters, side: 'BID' })(context),
  });
  const { lines } = fakeContext(strategy, {
    parameters: { total: '0.5', duration: '1h', slices: 2 },
    top: ['a', { a: { bid: '9999', ask: '10001' } }],
  });
  expect(lines.some((line) => line.includes('BID 0.25 at 10011 IOC'))).toBe(true);
});
