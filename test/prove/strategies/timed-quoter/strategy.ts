/**
 * A strategy for measurements of whole backtests: every `refresh` it quotes both sides at the
 * touch, leaves out the side that its position has had enough of, and listens to nothing else.
 */
import { defer, map } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  type Intent,
  type MarketContext,
  type QuotedOrder,
  span,
} from '../../../../src/index.ts';

const parameters = z.strictObject({ size: amount, refresh: span });

function decide(market: MarketContext, size: string, budget: string): Intent {
  const { pair, top, position } = market;
  if (top?.bid === undefined || top.ask === undefined)
    return { kind: 'idle', pair, reason: 'the book has no two sides' };
  const volume = market.lots(size);
  const most = market.lots(budget);
  const orders: QuotedOrder[] = [];
  if (position.highest < most)
    orders.push({ level: 'bid', side: 'BID', price: top.bid, volume, postOnly: true });
  if (position.lowest > -most)
    orders.push({ level: 'ask', side: 'ASK', price: top.ask, volume, postOnly: true });
  return { kind: 'quote', pair, orders, reason: 'at the touch' };
}

export default defineStrategy<z.infer<typeof parameters>>({
  name: 'timed-quoter',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { size, refresh } = context.parameters;
    const budget = context.budget(market.base).div(2).toFixed();
    return defer(() => context.every(refresh).pipe(map(() => decide(market, size, budget))));
  },
});
