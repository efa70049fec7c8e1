/**
 * Rebalancing: keeps a share of its money in the base currency, with orders that rest at the best
 * price, and does nothing while the share is within a band.
 */
import { holdStrategy, param, share } from 'millrace';

export default holdStrategy({
  name: 'rebalance',
  parameters: {
    target: param(share, {
      description: 'How much of its money it holds as the base currency.',
      ...{ from: '0%', to: '100%', default: '50%', mayChange: true },
    }),
    band: param(share, {
      description: 'How far from that it may be before it trades.',
      ...{ from: '0.01%', to: '50%', default: '2%', mayChange: true },
    }),
  },
  on: 'change',
  by: 'resting',
  hold: ({ market, context, parameters: { target, band, size } }) => {
    const { mid, totals, position } = market;
    if (mid === undefined) return undefined;
    const { bought, sold, fees } = totals;
    const spent = bought.value.minus(sold.value).plus(fees.counter);
    const left = context.budget(market.counter).minus(spent);
    // All of it in lots at the mid, because a share needs no exact sum.
    const money = left.isNegative() ? 0 : market.lotsFor(left.toFixed(), market.round(mid, 'up'));
    const all = position.base + money;
    const held = all === 0 ? target : position.base / all;
    context.metric('share held', held);
    const isInBand = Math.abs(held - target) <= band;
    const wanted = (isInBand ? position.base : target * all) / market.lots(size);
    return {
      share: Math.min(1, Math.max(0, wanted)),
      why: isInBand ? 'the share is within the band' : `the share is ${(100 * held).toFixed(2)} %`,
    };
  },
});
