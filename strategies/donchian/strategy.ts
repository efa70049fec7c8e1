/**
 * Donchian breakout: buys when a candle closes above the highest price of the candles before it,
 * and sells when one closes below the lowest price of fewer candles.
 */
import { donchian, holdStrategy, param } from 'millrace';
import { z } from 'zod';

const candles = { from: 1, to: 1_000, unit: 'candles' };

export default holdStrategy({
  name: 'donchian',
  parameters: {
    entry: param(z.int(), {
      description: 'How many candles the channel has that a close must break upwards.',
      ...{ ...candles, default: 20 },
    }),
    exit: param(z.int(), {
      description: 'How many candles the channel has that a close must break downwards.',
      ...{ ...candles, default: 10 },
    }),
  },
  history: ({ entry, exit }) => Math.max(entry, exit) + 1,
  hold: ({ candles, market, parameters: { entry, exit } }) => {
    // The candle that has just closed is compared with those before it.
    const before = candles.slice(0, -1);
    const close = candles.at(-1)?.close ?? 0;
    const upper = donchian(entry, before).value?.upper ?? Infinity;
    const lower = donchian(exit, before).value?.lower ?? 0;
    market.plot('upper', upper);
    market.plot('lower', lower);
    if (close > upper) return { share: 1, why: `closed above ${entry} candles`, tag: 'entry' };
    if (close < lower) return { share: 0, why: `closed below ${exit} candles`, tag: 'exit' };
    return undefined;
  },
});
