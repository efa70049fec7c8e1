import { playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from '../../../strategies/rsi-reversion/strategy.ts';

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, {
    candle: '60s',
    period: 2,
    low: 20,
    high: 60,
    stop: '30bps',
    target: '40bps',
    size: '0.01',
    slip: '20bps',
  });
  expect(fills.length).toBeGreaterThan(0);
});
