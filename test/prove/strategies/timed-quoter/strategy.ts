/**
 * A strategy for measurements of whole backtests: every `refresh` and after its own fills it quotes
 * both sides a little behind the touch, and leaves out the side that it has had enough of.
 */
import { defer, map, merge } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  type Intent,
  type MarketContext,
  type QuotedOrder,
  span,
  type Ticks,
} from '../../../../src/index.ts';

const parameters = z.strictObject({ size: amount, refresh: span });

const behindTicks = 2;

function decide(market: MarketContext, size: string, budget: string): Intent {
  const { pair, top, position } = market;
  if (top?.bid === undefined || top.ask === undefined)
    return { kind: 'idle', pair, reason: 'the book has no two sides' };
  const volume = market.lots(size);
  const most = market.lots(budget);
  const orders: QuotedOrder[] = [];
  if (position.highest < most)
    orders.push({
      level: 'bid',
      side: 'BID',
      price: (top.bid - behindTicks) as Ticks,
      volume,
      postOnly: true,
    });
  if (position.lowest > -most)
    orders.push({
      level: 'ask',
      side: 'ASK',
      price: (top.ask + behindTicks) as Ticks,
      volume,
      postOnly: true,
    });
  return { kind: 'quote', pair, orders, reason: 'behind the touch' };
}

export default defineStrategy<z.infer<typeof parameters>>({
  name: 'timed-quoter',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { size, refresh } = context.parameters;
    const budget = context.budget(market.base).div(2).toFixed();
    return defer(() =>
      merge(context.every(refresh), market.fill$).pipe(map(() => decide(market, size, budget))),
    );
  },
});
