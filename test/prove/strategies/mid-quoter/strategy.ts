/**
 * The market maker that `prove -- peers` runs in each program: every `refresh` it quotes both sides
 * at `halfSpread` ticks from the mid, and leaves out a side once its position reaches `positionMax`.
 * A resting order stays while its price is at most `tolerance` ticks from the wanted one.
 *
 * The Python versions in `test/prove/peers/` follow the same rule; keep them equal.
 */
import { defer, map } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  type Intent,
  type Lots,
  type MarketContext,
  type QuotedOrder,
  span,
  type Ticks,
} from '../../../../src/index.ts';

const ticks = z.int().min(0).max(1_000);

const parameters = z.strictObject({
  halfSpread: ticks,
  tolerance: ticks,
  size: amount,
  positionMax: amount,
  refresh: span,
});

type Rule = {
  readonly halfSpread: number;
  readonly tolerance: number;
  readonly size: Lots;
  readonly positionMax: Lots;
};

function decide(market: MarketContext, rule: Rule): Intent {
  const { pair, top, position } = market;
  if (top?.bid === undefined || top.ask === undefined)
    return { kind: 'idle', pair, reason: 'the book has no two sides' };
  const { bid, ask } = top;
  const { halfSpread, tolerance } = rule;
  const mid = (bid + ask) / 2;
  const orders: QuotedOrder[] = [];
  if (position.base < rule.positionMax) {
    const price = Math.min(Math.floor(mid - halfSpread), ask - 1) as Ticks;
    orders.push({ level: 'bid', side: 'BID', price, volume: rule.size, postOnly: true });
  }
  if (position.base > -rule.positionMax) {
    const price = Math.max(Math.ceil(mid + halfSpread), bid + 1) as Ticks;
    orders.push({ level: 'ask', side: 'ASK', price, volume: rule.size, postOnly: true });
  }
  return { kind: 'quote', pair, orders, toleranceTicks: tolerance, reason: 'around the mid' };
}

export default defineStrategy<z.infer<typeof parameters>>({
  name: 'mid-quoter',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { halfSpread, tolerance, refresh, size, positionMax } = context.parameters;
    const rule = {
      ...{ halfSpread, tolerance },
      size: market.lots(size),
      positionMax: market.lots(positionMax),
    };
    return defer(() => context.every(refresh).pipe(map(() => decide(market, rule))));
  },
});
