import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/pmm/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    halfSpread: '15bps',
    levels: 3,
    levelStep: '5bps',
    fillDelay: '10s',
    size: '0.005',
  });
  expect(fills.length).toBeGreaterThan(0);
});
