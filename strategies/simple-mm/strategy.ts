/**
 * Simple market maker: one bid and one ask, post-only, at an equal distance from the mid.
 *
 * Quotes when the book is first usable, every `refresh`, and after each fill of its own. A side
 * for which there is no room is left out, with the reason.
 */
import { param, quoteStrategy, share } from 'millrace';

const halfSpread = param(share, {
  description: 'The distance of both quotes from the mid, as a share of it.',
  ...{ from: '0.1bps', to: '99.99%', step: '1bps', mayChange: true },
});

export default quoteStrategy({
  name: 'simple-mm',
  parameters: { halfSpread },
  halfSpread: ({ halfSpread }) => halfSpread,
  quote: ({ mid, parameters: { halfSpread } }) => ({
    bid: mid * (1 - halfSpread),
    ask: mid * (1 + halfSpread),
  }),
});
