import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/ma-cross/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    fast: 3,
    slow: 12,
    size: '0.01',
    slip: '20bps',
  });
  expect(fills.length).toBeGreaterThan(0);
});
