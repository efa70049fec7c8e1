import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/avellaneda/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    gamma: 0.01,
    horizon: '60s',
    window: 100,
    leastHalfSpread: '8bps',
    size: '0.01',
    refresh: '5s',
  });
  expect(fills.length).toBeGreaterThan(0);
});
