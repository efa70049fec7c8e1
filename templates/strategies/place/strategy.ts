/** Buys `size` at the best ask again and again, `every` so often, until its budget is used up. */
import { amount, defineStrategy, type Intent, span } from 'millrace';
import { map } from 'rxjs';
import { z } from 'zod';

export default defineStrategy({
  name: 'place',
  parameters: z.strictObject({ size: amount, every: span }),
  pairs: 1,
  // A start warns if the settings do not suit such orders.
  needs: ({ size }) => ({ sides: ['BID'], timeInForce: ['IOC'], postOnly: false, size }),
  run({ parameters, pairs: [market], budget, every, nowMs }) {
    if (market === undefined) throw new RangeError('one pair is needed');
    const { pair, base } = market;
    const volume = market.lots(parameters.size);
    const most = market.nearestLot(budget(base), 'down');
    return every(parameters.every).pipe(
      map((): Intent => {
        const price = market.top?.ask;
        if (price === undefined) return { kind: 'idle', pair, reason: 'nobody asks' };
        if (market.position.base + volume > most)
          return { kind: 'idle', pair, reason: 'the budget is used up' };
        // A key is used once, for ever: at most one order in each period, also after a restart.
        const key = `buy-${Math.floor(nowMs() / parameters.every)}`;
        const terms = { side: 'BID', price, volume, timeInForce: 'IOC' } as const;
        return { kind: 'place', pair, key, terms, reason: 'it is time to buy' };
      }),
    );
  },
});
