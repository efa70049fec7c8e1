/**
 * Crossing averages: holds `size` while the average of the last `fast` closes is above that of the
 * last `slow`, and nothing otherwise. Decides when a candle closes, with taker orders.
 */
import { type Candle, holdStrategy, param } from 'millrace';
import { z } from 'zod';

const candles = { from: 1, to: 1_000, unit: 'candles' };
const sumOf = (candles: readonly Candle[]) => candles.reduce((sum, { close }) => sum + close, 0);

export default holdStrategy({
  name: 'ma-cross',
  parameters: {
    fast: param(z.int(), { description: 'How many closes the fast average has.', ...candles }),
    slow: param(z.int(), { description: 'How many closes the slow average has.', ...candles }),
  },
  check: ({ fast, slow }) => (fast < slow ? {} : { fast: 'must be less than slow' }),
  history: ({ slow }) => slow,
  hold: ({ candles, market, parameters: { fast, slow } }) => {
    const [fastSum, slowSum] = [sumOf(candles.slice(-fast)), sumOf(candles)];
    market.plot('fast average', fastSum / fast);
    market.plot('slow average', slowSum / slow);
    // Whole ticks, compared without dividing, are exact.
    const isAbove = fastSum * slow > slowSum * fast;
    return isAbove
      ? { share: 1, why: 'the fast average is above' }
      : { share: 0, why: 'the fast average is not above' };
  },
});
