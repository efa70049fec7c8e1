import { fakeContext, playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from './strategy.ts';

test('buys at the best ask when it is time', () => {
  const { lines } = fakeContext(strategy, {
    parameters: { size: '0.01', every: '60s' },
    top: ['a', { a: { bid: '999', ask: '1001' } }],
    for: '90s',
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^1m place XBTZAR.*BID 0\.01 at 1001/u);
});

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, { size: '0.01', every: '5m' });
  expect(fills.length).toBeGreaterThan(0);
});
