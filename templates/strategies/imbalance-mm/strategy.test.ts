import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/imbalance-mm/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    halfSpread: '12bps',
    levels: 5,
    window: 60,
    gain: '1bps',
    skew: '3bps',
    size: '0.01',
    refresh: '5s',
  });
  expect(fills.length).toBeGreaterThan(0);
});
