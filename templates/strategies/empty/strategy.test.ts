import { fakeContext } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from './strategy.ts';

test('places nothing', () => {
  const { intents } = fakeContext(strategy, { top: ['a', { a: { bid: '999', ask: '1001' } }] });
  expect(intents.map(({ intent }) => intent.kind)).toEqual(['idle']);
});
