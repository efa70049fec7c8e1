import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/ping-pong/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    width: '10bps',
    size: '0.01',
  });
  expect(fills.length).toBeGreaterThan(0);
});
