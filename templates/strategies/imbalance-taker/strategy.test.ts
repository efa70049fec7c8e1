import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/imbalance-taker/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    levels: 5,
    trigger: 0.4,
    gain: '60bps',
    size: '0.01',
    slip: '10bps',
  });
  expect(fills.length).toBeGreaterThan(0);
});
