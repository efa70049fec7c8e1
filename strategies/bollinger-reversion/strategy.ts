/**
 * Bollinger reversion: buys when a candle closes far below its average, in standard deviations, and
 * sells when one closes back at the average.
 */
import { holdStrategy, param, zScore } from 'millrace';
import { z } from 'zod';

export default holdStrategy({
  name: 'bollinger-reversion',
  parameters: {
    period: param(z.int(), {
      description: 'How many closes the average and the standard deviation have.',
      ...{ unit: 'candles', from: 2, to: 1_000, default: 20 },
    }),
    deviations: param(z.number(), {
      description: 'How far below the average it buys.',
      ...{ unit: 'standard deviations', from: 0.1, to: 10, default: 2, mayChange: true },
    }),
    exit: param(z.number(), {
      description: 'From where on it sells; 0 is the average, below 0 is below it.',
      ...{ unit: 'standard deviations', from: -10, to: 10, default: 0, mayChange: true },
    }),
  },
  check: ({ deviations, exit }) =>
    -deviations < exit ? {} : { exit: 'must be above minus deviations' },
  history: ({ period }) => period,
  hold: ({ candles, market, parameters: { period, deviations, exit } }) => {
    const closes = candles.map(({ close }) => close);
    const score = zScore(period, closes).value ?? 0;
    market.plot('z-score', score, { pane: 'z-score' });
    if (score <= -deviations) return { share: 1, why: 'closed below the band', tag: 'entry' };
    if (score >= exit) return { share: 0, why: 'closed back at the average', tag: 'exit' };
    return undefined;
  },
});
