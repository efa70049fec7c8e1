/**
 * Crossing averages: holds `size` while the average of the last `fast` closes is above that of the
 * last `slow`, and nothing otherwise. Decides when a candle closes, with taker orders.
 */
import { type Candle, holdStrategy } from 'millrace';
import { z } from 'zod';

const count = z.int().min(1).max(1_000);
const sumOf = (candles: readonly Candle[]) => candles.reduce((sum, { close }) => sum + close, 0);

export default holdStrategy({
  name: 'ma-cross',
  parameters: { fast: count, slow: count },
  check: ({ fast, slow }) => (fast < slow ? {} : { fast: 'must be less than slow' }),
  history: ({ slow }) => slow,
  hold: ({ candles, parameters: { fast, slow } }) => {
    // Whole ticks, compared without dividing, are exact.
    const isAbove = sumOf(candles.slice(-fast)) * slow > sumOf(candles) * fast;
    return isAbove
      ? { share: 1, why: 'the fast average is above' }
      : { share: 0, why: 'the fast average is not above' };
  },
});
