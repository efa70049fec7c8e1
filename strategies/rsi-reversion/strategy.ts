/**
 * RSI reversion: buys when the relative strength index of the closes falls to `low`, and sells when
 * it is at `high`, at a loss of `stop` or at a gain of `target`.
 */
import { holdStrategy, param, rsi, share } from 'millrace';
import { z } from 'zod';

const index = { from: 0, to: 100, mayChange: true };
const distance = { from: '1bps', to: '99%', mayChange: true };

export default holdStrategy({
  name: 'rsi-reversion',
  parameters: {
    period: param(z.int(), {
      description: 'How many changes of the close the index averages.',
      ...{ unit: 'candles', from: 2, to: 200, default: 14 },
    }),
    low: param(z.number(), { description: 'The index at which it buys.', ...index, default: 30 }),
    high: param(z.number(), { description: 'The index at which it sells.', ...index, default: 55 }),
    stop: param(share, {
      description: 'How far below its average price it sells.',
      ...{ ...distance, default: '1%' },
    }),
    target: param(share, {
      description: 'How far above its average price it sells.',
      ...{ ...distance, default: '1%' },
    }),
  },
  check: ({ low, high }) => (low < high ? {} : { low: 'must be below high' }),
  // What is ten periods old counts less than a ten-thousandth.
  history: ({ period }) => 10 * period,
  on: 'change',
  hold: ({ candles, market, context, parameters }) => {
    const { period, low, high, stop, target, candle } = parameters;
    const { mid, position, rules } = market;
    const closes = candles.map(({ close }) => close);
    const [before = 50, now = 50] = [rsi(period, closes.slice(0, -1)), rsi(period, closes)].map(
      ({ value }) => value,
    );
    market.plot('RSI', now, { pane: 'RSI' });
    if (position.base >= rules.volumeMin) {
      const paid = position.averagePrice && market.nearestTick(position.averagePrice, 'up');
      const gain = mid === undefined || paid === undefined ? 0 : mid / paid - 1;
      if (gain <= -stop) return { share: 0, why: 'the loss is at the stop', tag: 'stop' };
      if (gain >= target) return { share: 0, why: 'the gain is at the target', tag: 'target' };
      return now >= high ? { share: 0, why: 'the index is high', tag: 'high' } : undefined;
    }
    // After a sale it waits for the next candle, so that a stop is not followed by a purchase.
    const hasTraded = market.fillsSince(context.nowMs() - candle).length > 0;
    return now <= low && before > low && !hasTraded
      ? { share: 1, why: 'the index has fallen to low', tag: 'entry' }
      : { share: 0, why: 'waits for the index to fall to low' };
  },
});
