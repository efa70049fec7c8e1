/** Keeps a bid at the best bid, as long as its budget lasts. */
import { amount, defineStrategy } from 'millrace';
import { map, merge } from 'rxjs';
import { z } from 'zod';

export default defineStrategy({
  name: 'join-the-bid',
  parameters: z.strictObject({ size: amount }),
  pairs: 1,
  run({ parameters, pairs: [market], budget }) {
    if (market === undefined) throw new RangeError('one pair is needed');
    const { pair, base } = market;
    const volume = market.lots(parameters.size);
    const most = market.lots(budget(base).toFixed());
    return merge(market.top$, market.fill$).pipe(
      map(() => {
        const price = market.top?.bid;
        if (price === undefined || market.position.base + volume > most) {
          const why = { pair, reason: 'nobody bids, or the budget is used up' };
          // What is left of the last bid stays, and nothing follows it.
          return market.orders.length > 0
            ? { kind: 'idle', ...why }
            : { kind: 'quote', orders: [], ...why };
        }
        const order = { level: 'bid', side: 'BID', price, volume, postOnly: true } as const;
        return { kind: 'quote', pair, orders: [order], reason: 'joins the best bid' };
      }),
    );
  },
});
