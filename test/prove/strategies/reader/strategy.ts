/**
 * Quotes both sides every two seconds and, for measurements, takes decisions far more often: with
 * `reads` each reads the best prices, its orders, its position, its budget and its balance, else
 * nothing. Decisions ask for nothing, so the difference is what reading costs.
 */
import { defer, filter, map, merge } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  type Context,
  defineStrategy,
  type Intent,
  type MarketContext,
  span,
} from '../../../../src/index.ts';

const quoteEveryMs = 2_000;

const parameters = z.strictObject({ size: amount, refresh: span, reads: z.boolean() });

type Parameters = z.infer<typeof parameters>;

function quote(context: Context<Parameters, undefined>, market: MarketContext): Intent {
  const { pair, top } = market;
  const volume = market.lots(context.parameters.size);
  const at = { volume, postOnly: true };
  if (top?.bid === undefined || top.ask === undefined)
    return { kind: 'idle', pair, reason: 'the book has no two sides' };
  const bid = { level: 'bid', side: 'BID', price: top.bid, ...at } as const;
  const ask = { level: 'ask', side: 'ASK', price: top.ask, ...at } as const;
  return { kind: 'quote', pair, orders: [bid, ask], reason: 'at the best prices' };
}

/** Reads all five, and makes a number of them, so that no read is idle. */
function read(context: Context<Parameters, undefined>, market: MarketContext): number {
  const { top, orders, position, base, counter } = market;
  const isBudgeted = context.budget(base) !== context.available(counter);
  return (top?.bid ?? 0) + orders.length + position.base + (isBudgeted ? 1 : 0);
}

export default defineStrategy<Parameters>({
  name: 'reader',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { refresh, reads } = context.parameters;
    return defer(() => {
      let sum = 0;
      const quotes$ = context.every(quoteEveryMs).pipe(map(() => quote(context, market)));
      const decisions$ = context.every(refresh).pipe(
        map((): Intent => {
          if (reads) sum += read(context, market);
          return { kind: 'idle', pair: market.pair, reason: 'decided' };
        }),
        filter(() => sum < 0),
      );
      return merge(quotes$, decisions$);
    });
  },
});
