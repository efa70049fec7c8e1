/** Quotes a bid and an ask around the middle of the best prices, while its budget lasts. */
import { amount, defineStrategy, type Intent, type QuotedOrder, share, span } from 'millrace';
import { map, merge } from 'rxjs';
import { z } from 'zod';

export default defineStrategy({
  name: 'quoter',
  parameters: z.strictObject({ halfSpread: share, size: amount, refresh: span.default(15_000) }),
  pairs: 1,
  // A start warns if the settings do not suit such orders.
  needs: ({ size }) => ({ sides: ['BID', 'ASK'], timeInForce: ['GTC'], postOnly: true, size }),
  run({ parameters, pairs: [market], budget, every }) {
    if (market === undefined) throw new RangeError('one pair is needed');
    const { pair, base } = market;
    const { halfSpread, size, refresh } = parameters;
    const volume = market.lots(size);
    // While a quote moves, its old and its new order may both fill: room for one more is left.
    const most = market.nearestLot(budget(base), 'down') - volume;
    return merge(market.usable$, market.fill$, every(refresh)).pipe(
      map((): Intent => {
        const { top, position } = market;
        if (top?.bid === undefined || top.ask === undefined)
          return { kind: 'idle', pair, reason: 'the book has no bid or no ask' };
        const mid = (top.bid + top.ask) / 2;
        const bid = market.round(Math.min(mid * (1 - halfSpread), top.ask - 1), 'down');
        const ask = market.round(Math.max(mid * (1 + halfSpread), top.bid + 1), 'up');
        const orders: QuotedOrder[] = [];
        if (position.base + volume <= most)
          orders.push({ level: 'bid', side: 'BID', price: bid, volume, postOnly: true });
        if (position.base - volume >= -most)
          orders.push({ level: 'ask', side: 'ASK', price: ask, volume, postOnly: true });
        return { kind: 'quote', pair, orders, reason: 'around the middle' };
      }),
    );
  },
});
