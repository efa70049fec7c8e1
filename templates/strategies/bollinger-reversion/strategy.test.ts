import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/bollinger-reversion/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    candle: '60s',
    period: 10,
    deviations: 1.5,
    size: '0.01',
    slip: '20bps',
  });
  expect(fills.length).toBeGreaterThan(0);
});
