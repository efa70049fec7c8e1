/**
 * A two-sided market maker for measurements: every `refresh` it moves both quotes, to the best
 * prices and one tick behind them in turns, and leaves out a side whose position, budget or balance
 * cannot carry it. With `quotes: false` it
 * decides in the same way and then drops its intents: the difference is what orders cost.
 */
import { defer, filter, map, merge, tap } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  type Context,
  defineStrategy,
  type Intent,
  type MarketContext,
  type QuotedOrder,
  span,
  type Ticks,
} from '../../../../src/index.ts';

const parameters = z.strictObject({ size: amount, refresh: span, quotes: z.boolean() });

type Parameters = z.infer<typeof parameters>;

function decide(
  context: Context<Parameters, undefined>,
  market: MarketContext,
  behind: number,
): Intent {
  const { pair, top, position, base, counter } = market;
  if (top?.bid === undefined || top.ask === undefined)
    return { kind: 'idle', pair, reason: 'the book has no two sides' };
  const volume = market.lots(context.parameters.size);
  const most = context.budget(base);
  const live = market.orders.length;
  const canBuy =
    market.amountOf(position.highest).lessThan(most) && !context.available(counter).isNegative();
  const canSell =
    market.amountOf(position.lowest).greaterThan(most.negated()) &&
    !context.available(base).isNegative();
  const orders: QuotedOrder[] = [];
  if (canBuy)
    orders.push({
      level: 'bid',
      side: 'BID',
      price: (top.bid - behind) as Ticks,
      volume,
      postOnly: true,
    });
  if (canSell)
    orders.push({
      level: 'ask',
      side: 'ASK',
      price: (top.ask + behind) as Ticks,
      volume,
      postOnly: true,
    });
  return { kind: 'quote', pair, orders, reason: live === 0 ? 'opens' : 'at the best prices' };
}

export default defineStrategy<Parameters>({
  name: 'maker',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { refresh, quotes } = context.parameters;
    return defer(() => {
      let behind = 0;
      const turn$ = context.every(refresh).pipe(
        tap(() => {
          behind = 1 - behind;
        }),
      );
      return merge(turn$, market.fill$).pipe(
        map(() => decide(context, market, behind)),
        filter(() => quotes),
      );
    });
  },
});
