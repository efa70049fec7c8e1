/** Holds `size` while the last candle closed above the average of the last `count`. */
import { holdStrategy } from 'millrace';
import { z } from 'zod';

export default holdStrategy({
  name: 'candles',
  // `candle`, `size` and `slip` come with the shape.
  parameters: { count: z.int().min(2).max(1_000).default(10) },
  // So many closed candles are there when `hold` is asked, from before the start, too.
  history: ({ count }) => count,
  // 1 is all of `size`, 0 is nothing. Prices are in ticks.
  hold: ({ candles, parameters: { count } }) => {
    const average = candles.reduce((sum, { close }) => sum + close, 0) / count;
    return (candles.at(-1)?.close ?? 0) > average
      ? { share: 1, why: 'closed above the average' }
      : { share: 0, why: 'closed below the average' };
  },
});
