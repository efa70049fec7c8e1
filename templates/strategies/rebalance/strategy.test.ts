import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/rebalance/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    target: '50%',
    band: '0.02%',
    size: '0.15',
  });
  expect(fills.length).toBeGreaterThan(0);
});
