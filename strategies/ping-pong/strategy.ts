/**
 * Ping-pong: one bid below the mid, and after it has filled one ask above the mid, which is never
 * lower than what was paid with the fees of both trades.
 */
import { param, quoteStrategy, share } from 'millrace';

export default quoteStrategy({
  name: 'ping-pong',
  parameters: {
    width: param(share, {
      description: 'The distance of the order from the mid, as a share of it.',
      ...{ from: '0.1bps', to: '50%', default: '20bps', step: '1bps', mayChange: true },
    }),
  },
  halfSpread: ({ width }) => width,
  quote: ({ mid, market, parameters: { width } }) => {
    const { position, rules } = market;
    if (position.base < rules.volumeMin) return { bid: mid * (1 - width), why: 'holds nothing' };
    const paid = position.averagePrice && market.nearestTick(position.averagePrice, 'up');
    const least = (paid ?? 0) * (1 + 2 * Math.max(rules.makerFee, 0));
    const size = market.amountOf(position.base).toFixed();
    return {
      ask: { price: Math.max(mid * (1 + width), least), size },
      why: 'sells what it has bought',
    };
  },
});
