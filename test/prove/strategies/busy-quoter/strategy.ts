/**
 * A strategy that keeps an exchange busy, for proofs that kill its bot: three levels a side that
 * follow the price closely, and an order that trades at once every few turns.
 *
 * Its count is remembered with every such order, so that a restart goes on with new keys.
 */
import { defer, merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  type Context,
  defineStrategy,
  type Intent,
  type MarketContext,
  type QuotedOrder,
  type Side,
  span,
  type Ticks,
} from '../../../../src/index.ts';

const parameters = z.strictObject({ size: amount, refresh: span });

type Parameters = z.infer<typeof parameters>;
type State = { readonly count: number };

/** Distances from the mid in basis points, each moved by up to one at every turn. */
const levelsBps = [2, 6, 12];
const toleranceBps = 1;
const takeShare = 0.2;
/** An order that trades at once may cost this much more than the mid. */
const takeBps = 15;

function quotes(
  context: Context<Parameters, State>,
  market: MarketContext,
  { bid, ask }: { readonly bid: Ticks; readonly ask: Ticks },
): readonly QuotedOrder[] {
  const mid = (bid + ask) / 2;
  const volume = market.lots(context.parameters.size);
  return levelsBps.flatMap((bps, index) => {
    const away = (mid * (bps + context.random())) / 10_000;
    return [
      {
        level: `bid.${index}`,
        side: 'BID' as const,
        price: market.round(Math.min(mid - away, ask - 1 - index), 'down'),
        volume,
        postOnly: true,
      },
      {
        level: `ask.${index}`,
        side: 'ASK' as const,
        price: market.round(Math.max(mid + away, bid + 1 + index), 'up'),
        volume,
        postOnly: true,
      },
    ];
  });
}

export default defineStrategy<Parameters, State>({
  name: 'busy-quoter',
  parameters,
  pairs: 1,
  state: { schema: z.strictObject({ count: z.number() }), initial: { count: 0 } },
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { pair } = market;
    let { count } = context.state();
    const take = (mid: number): readonly Intent[] => {
      count++;
      // Towards no position, so that the limits never end the trading.
      const side: Side = market.position.base > 0 ? 'ASK' : 'BID';
      const worst = side === 'BID' ? 1 + takeBps / 10_000 : 1 - takeBps / 10_000;
      const terms = {
        side,
        price: market.round(mid * worst, side === 'BID' ? 'up' : 'down'),
        volume: market.lots(context.parameters.size),
        timeInForce: 'IOC' as const,
      };
      return [
        { kind: 'place', pair, key: `take-${count}`, terms, reason: 'every few turns' },
        { kind: 'remember', state: { count } },
      ];
    };
    const decide = (): readonly Intent[] => {
      const { bid, ask } = market.top ?? {};
      if (bid === undefined || ask === undefined)
        return [{ kind: 'idle', pair, reason: 'the book has no two sides' }];
      const mid = (bid + ask) / 2;
      const quote: Intent = {
        kind: 'quote',
        pair,
        orders: quotes(context, market, { bid, ask }),
        toleranceTicks: Math.floor((mid * toleranceBps) / 10_000),
        reason: 'around the mid',
      };
      return context.random() < takeShare ? [quote, ...take(mid)] : [quote];
    };
    return defer(() =>
      merge(of('start'), context.every(context.parameters.refresh), market.fill$).pipe(
        mergeMap(decide),
      ),
    );
  },
});
