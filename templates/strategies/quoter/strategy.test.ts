import { fakeContext, playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from './strategy.ts';

const parameters = { halfSpread: '1%', size: '0.01' };

test('quotes both sides at the half spread from the middle', () => {
  const { lines } = fakeContext(strategy, {
    parameters,
    top: ['a', { a: { bid: '999', ask: '1001' } }],
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/BID 0\.01 at 990 .*ASK 0\.01 at 1010 /u);
});

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, { ...parameters, halfSpread: '20bps' });
  expect(fills.length).toBeGreaterThan(0);
});
