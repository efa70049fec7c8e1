/** Quotes a bid and an ask around the middle of the best prices, while its budget lasts. */
import { param, quoteStrategy, share } from 'millrace';

const halfSpread = param(share, {
  description: 'The distance of both quotes from the middle.',
  // An operator may set it while the bot runs.
  ...{ from: '1bps', to: '5%', mayChange: true },
});

export default quoteStrategy({
  name: 'quoter',
  // `size`, `refresh` and `tolerance` come with the shape.
  parameters: { halfSpread },
  // A start warns if quotes this near cannot earn their fees.
  halfSpread: ({ halfSpread }) => halfSpread,
  // Prices are in ticks. They are rounded away from the market, and sized by what there is room for.
  quote: ({ mid, parameters: { halfSpread } }) => ({
    bid: mid * (1 - halfSpread),
    ask: mid * (1 + halfSpread),
    why: 'around the middle',
  }),
});
