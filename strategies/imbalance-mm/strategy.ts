/**
 * Imbalance market maker: quotes on both sides of a price that moves with the imbalance of the
 * book, in standard deviations of the last minutes, and away from its position.
 */
import { indicate, param, quoteStrategy, share, zScore } from 'millrace';
import { filter, map } from 'rxjs';
import { z } from 'zod';

const distance = { from: '0.1bps', to: '50%', step: '1bps', mayChange: true };

export default quoteStrategy({
  name: 'imbalance-mm',
  parameters: {
    halfSpread: param(share, {
      description: 'The distance of both quotes from their middle, as a share of the mid.',
      ...{ ...distance, default: '20bps' },
    }),
    levels: param(z.int(), {
      description: 'How many levels of each side of the book count.',
      ...{ unit: 'levels', from: 1, to: 100, default: 5 },
    }),
    window: param(z.int(), {
      description: 'How many seconds the imbalance is compared with.',
      ...{ unit: 'seconds', from: 2, to: 3_600, default: 60 },
    }),
    gain: param(share, {
      description: 'How far the quotes move for each standard deviation of the imbalance.',
      ...{ ...distance, from: '0bps', default: '2bps' },
    }),
    skew: param(share, {
      description: 'How far the quotes move against the position, for each size that it has.',
      ...{ ...distance, from: '0bps', default: '5bps' },
    }),
  },
  halfSpread: ({ halfSpread }) => halfSpread,
  requote: (market, { every, parameters: { window, levels } }) =>
    every(1_000).pipe(
      map(() => market.book.imbalance(levels)),
      filter((imbalance) => imbalance !== undefined),
      indicate(() => zScore(window)),
    ),
  quote: ({ mid, market, signal, parameters: { size, halfSpread, gain, skew } }) => {
    if (signal === undefined) return { why: 'too little is known yet' };
    const q = market.position.base / market.lots(size);
    const middle = mid * (1 + gain * signal - skew * q);
    market.plot('middle of the quotes', middle);
    return { bid: middle - mid * halfSpread, ask: middle + mid * halfSpread };
  },
});
