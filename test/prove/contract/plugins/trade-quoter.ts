/**
 * Quotes by the market alone, after a share of its trades, and says what it asks for: the same in
 * any mode that shows it the same market.
 */
import { filter, map } from 'rxjs';
import { z } from 'zod';
import { defineStrategy, type Intent, type MarketContext, ticksOf } from '../../../../src/index.ts';

export default defineStrategy({
  name: 'trade-quoter',
  parameters: z.strictObject({}),
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    return market.trade$.pipe(
      // The numbers of trades are a recording's own; their times and prices are the market's.
      filter(({ price }) => price % 4 === 0),
      map(({ timeMs, price, volume: traded }): Intent => {
        const { bid = 0, ask = 0 } = market.top ?? {};
        const volume = market.lots('0.001');
        const at = Math.floor(Math.min(bid, price) * 0.99);
        context.log(
          `intent ${timeMs}/${price}/${traded} ${at} ${bid} ${ask} ${market.book.imbalance(5)}`,
        );
        return {
          ...{ kind: 'quote', pair: market.pair, reason: `a trade at ${price}` },
          orders: [{ level: 'bid', side: 'BID', price: ticksOf(at), volume, postOnly: true }],
        };
      }),
    );
  },
});
