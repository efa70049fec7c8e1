import { fakeContext, playRecording } from 'millrace/testing';
import { expect, test } from 'vitest';
import strategy from './strategy.ts';

const parameters = { count: 3, size: '0.01', slip: '1%' };

test('buys when a candle closes above the average', () => {
  const { lines } = fakeContext(strategy, {
    parameters,
    top: ['a', { a: { bid: '999', ask: '1000' } }],
    candles: ['abc', { a: { close: '1000' }, b: { close: '1000' }, c: { close: '1006' } }],
  });
  expect(lines.at(-1)).toMatch(/place XBTZAR.*BID 0\.01 at 1010.*closed above the average/u);
});

test('trades in the sample recording', { timeout: 60_000 }, async () => {
  const { fills } = await playRecording(strategy, { ...parameters, count: 10, slip: '20bps' });
  expect(fills.length).toBeGreaterThan(0);
});
