/**
 * Imbalance taker: buys at once when the best levels hold many more bids than asks and the rise to
 * be expected is more than the trade costs, and sells when they hold many more asks.
 */
import { holdStrategy, param, share } from 'millrace';
import { z } from 'zod';

export default holdStrategy({
  name: 'imbalance-taker',
  parameters: {
    levels: param(z.int(), {
      description: 'How many levels of each side count.',
      ...{ unit: 'levels', from: 1, to: 100, default: 5 },
    }),
    trigger: param(z.number(), {
      description: 'The imbalance that makes it act: 1 is only bids or only asks.',
      ...{ from: 0.01, to: 1, default: 0.6, mayChange: true },
    }),
    gain: param(share, {
      description: 'How far the price is expected to move at an imbalance of 1.',
      ...{ from: '0.1bps', to: '10%', default: '40bps', mayChange: true },
    }),
  },
  on: 'change',
  hold: ({ market, parameters: { levels, trigger, gain } }) => {
    const { top, mid, rules } = market;
    const imbalance = market.book.imbalance(levels) ?? 0;
    if (mid === undefined || top?.ask === undefined) return undefined;
    market.plot('imbalance', imbalance, { pane: 'imbalance' });
    const cost = top.ask / mid - 1 + rules.takerFee;
    if (imbalance >= trigger && gain * imbalance > cost)
      return { share: 1, why: 'bids press', tag: 'entry' };
    if (imbalance <= -trigger) return { share: 0, why: 'asks press', tag: 'exit' };
    return undefined;
  },
});
