/**
 * Simple market maker: one bid and one ask, post-only, at an equal distance from the mid.
 *
 * Quotes when the book is first usable, every `refresh`, and after each fill of its own. A side
 * for which there is no room is left out, with the reason.
 */
import { quoteStrategy, share } from 'millrace';

const halfSpread = share.refine((fraction) => fraction >= 0.00001 && fraction < 1, {
  error: 'must be from 0.1bps to below 100%',
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
