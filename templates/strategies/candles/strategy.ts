/** Holds `size` while the last candle closed above the average of the last `count`. */
import { amount, type Candle, defineStrategy, type Intent, share, span } from 'millrace';
import { map, scan } from 'rxjs';
import { z } from 'zod';

export default defineStrategy({
  name: 'candles',
  parameters: z.strictObject({
    candle: span.default(60_000),
    count: z.int().min(2).max(1_000).default(10),
    size: amount,
    /** How much worse than the best price an order may trade. */
    slip: share,
  }),
  pairs: 1,
  // A start warns if the settings do not suit such orders.
  needs: ({ size }) => ({ sides: ['BID', 'ASK'], timeInForce: ['IOC'], postOnly: false, size }),
  run({ parameters, pairs: [market] }) {
    if (market === undefined) throw new RangeError('one pair is needed');
    const { pair, rules } = market;
    const { candle, count, size, slip } = parameters;
    const volume = market.lots(size);
    return market.candle$(candle).pipe(
      scan((last: readonly Candle[], next) => [...last, next].slice(-count), []),
      map((candles): Intent => {
        const now = candles.at(-1);
        const { top, position } = market;
        if (now === undefined || candles.length < count)
          return { kind: 'idle', pair, reason: `has ${candles.length} of ${count} candles` };
        if (top?.bid === undefined || top.ask === undefined)
          return { kind: 'idle', pair, reason: 'the book has no bid or no ask' };
        const average = candles.reduce((sum, { close }) => sum + close, 0) / count;
        const isLong = position.base >= rules.volumeMin;
        const isAbove = now.close > average;
        if (isLong === isAbove) return { kind: 'idle', pair, reason: 'holds what it should' };
        const terms = isAbove
          ? { side: 'BID' as const, price: market.round(top.ask * (1 + slip), 'down'), volume }
          : {
              side: 'ASK' as const,
              price: market.round(top.bid * (1 - slip), 'up'),
              volume: position.base,
            };
        // The key makes at most one order per candle, also after a restart.
        const key = String(now.startMs);
        const reason = isAbove ? 'closed above the average' : 'closed below the average';
        return { kind: 'place', pair, key, terms: { ...terms, timeInForce: 'IOC' }, reason };
      }),
    );
  },
});
