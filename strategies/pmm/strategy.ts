/**
 * Pure market making: several levels on each side, a share of the budget to hold, a pause after
 * each fill, and quotes that are never closer than the maker fee and a least profit.
 */
import { param, quoteStrategy, share, span } from 'millrace';
import { z } from 'zod';

const part = { from: '0%', to: '100%', mayChange: true };
const distance = { from: '0bps', to: '50%', step: '1bps', mayChange: true };

export default quoteStrategy({
  name: 'pmm',
  parameters: {
    halfSpread: param(share, {
      description: 'The distance of the first level from the mid, as a share of it.',
      ...{ ...distance, default: '20bps' },
    }),
    levels: param(z.int(), {
      description: 'How many levels a side has.',
      ...{ unit: 'levels', from: 1, to: 20, default: 3 },
    }),
    levelStep: param(share, {
      description: 'The distance between two levels, as a share of the mid.',
      ...{ ...distance, from: '0.1bps', default: '10bps' },
    }),
    target: param(share, {
      description: 'How much of its budget it would like to hold as the base currency.',
      ...{ ...part, default: '50%' },
    }),
    band: param(share, {
      description: 'How far from that it may be before it quotes one side only.',
      ...{ ...part, default: '50%' },
    }),
    fillDelay: param(span, {
      description: 'How long it quotes nothing after a fill.',
      ...{ from: '1ms', to: '24h', default: '60s', mayChange: true },
    }),
    leastProfit: param(share, {
      description: 'The least distance from the mid beyond the maker fee.',
      ...{ ...distance, default: '0bps' },
    }),
  },
  halfSpread: ({ halfSpread }) => halfSpread,
  levels: ({ levels }) => levels,
  quote: ({ mid, market, context, parameters }) => {
    const { halfSpread, levels, levelStep, target, band, fillDelay, leastProfit } = parameters;
    if (market.fillsSince(context.nowMs() - fillDelay).length > 0)
      return { why: 'waits after a fill' };
    const nearest = Math.max(halfSpread, market.rules.makerFee + leastProfit);
    const prices = (side: 1 | -1) =>
      Array.from(
        { length: levels },
        (_, level) => mid * (1 + side * (nearest + level * levelStep)),
      );
    const most = market.lotsFor(context.budget(market.counter).toFixed(), market.round(mid, 'up'));
    const held = most === 0 ? 0 : market.position.base / most;
    const why = `holds ${(100 * held).toFixed(1)} % of its budget`;
    return {
      ...(held <= target + band ? { bid: prices(-1) } : {}),
      ...(held >= target - band ? { ask: prices(1) } : {}),
      why,
    };
  },
});
