/**
 * The strategy of `prove -- silence`: it does what `does` says, so that each cause for which a bot
 * does not trade can be met.
 */
import { concat, concatMap, defer, filter, from, map, merge, mergeMap, NEVER, of } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  type Intent,
  type MarketContext,
  type QuotedOrder,
  type Side,
} from '../../../../src/index.ts';

const parameters = z.strictObject({
  does: z.enum([
    'quotes',
    'moves',
    'floods',
    'churns',
    'idles',
    'nothing',
    'throws',
    'nonsense',
    'crosses',
    'may take',
    'follows',
  ]),
  size: amount,
});

/** Both sides, `share` away from the mid. */
function quote(market: MarketContext, size: string, share: number, postOnly = true): Intent {
  const { pair, top } = market;
  if (top?.bid === undefined || top.ask === undefined)
    return { kind: 'idle', pair, reason: 'the book has no two sides' };
  const mid = (top.bid + top.ask) / 2;
  const order = (side: Side): QuotedOrder => ({
    ...{ level: side.toLowerCase(), side, volume: market.lots(size), postOnly },
    price: market.round(mid * (side === 'BID' ? 1 - share : 1 + share), 'down'),
  });
  const toleranceTicks = share < 0.01 ? Math.round(mid * 0.002) : 0;
  const orders = [order('BID'), order('ASK')];
  return { kind: 'quote', pair, orders, toleranceTicks, reason: 'both sides' };
}

/** A bid at its own ask, each time at another price: the same one would count once. */
function nonsense({ pair }: MarketContext, count: number): Intent {
  const order = { price: 1_000_000 + count, volume: 1_000 };
  const orders = [
    { ...order, level: 'bid', side: 'BID' },
    { ...order, level: 'ask', side: 'ASK' },
  ];
  return { kind: 'quote', pair, orders, reason: 'nonsense' } as unknown as Intent;
}

/** Takes what is not there: each order ends at once. */
function missing({ pair, top, round, lots }: MarketContext, size: string, count: number): Intent[] {
  if (top?.bid === undefined) return [];
  const price = round(top.bid * 0.98, 'down');
  const terms = { side: 'BID', price, volume: lots(size), timeInForce: 'IOC' } as const;
  return [{ kind: 'place', pair, key: `flood-${count}`, terms, reason: 'many calls' }];
}

/** Bids at the best ask, and will not take it: the exchange rejects each. */
function cross({ pair, top, lots }: MarketContext, size: string, count: number): Intent[] {
  if (top?.ask === undefined) return [];
  const terms = { side: 'BID', price: top.ask, volume: lots(size), postOnly: true } as const;
  return [{ kind: 'place', pair, key: `cross-${count}`, terms, reason: 'at the best ask' }];
}

/** Takes from one side of the book, and gives it back to the other: each time it loses. */
function churn(market: MarketContext, size: string, count: number): readonly Intent[] {
  const { pair, top, position } = market;
  if (top?.bid === undefined || top.ask === undefined) return [];
  const side: Side = position.base > 0 ? 'ASK' : 'BID';
  const price =
    side === 'BID' ? market.round(top.ask * 1.004, 'down') : market.round(top.bid * 0.996, 'up');
  const terms = { side, price, volume: market.lots(size), timeInForce: 'IOC' } as const;
  return [{ kind: 'place', pair, key: `churn-${count}`, terms, reason: 'to lose' }];
}

export default defineStrategy<z.infer<typeof parameters>>({
  name: 'silent',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { does, size } = context.parameters;
    const { pair } = market;
    let count = 0;
    switch (does) {
      case 'nothing':
        return NEVER;
      case 'follows':
        return context.every(500).pipe(
          filter(() => context.feed('reference').value !== undefined),
          map(() => quote(market, size, 0.005)),
        );
      case 'idles':
        return concat(
          of<Intent>({ kind: 'idle', pair, reason: 'nothing is worth a trade' }),
          NEVER,
        );
      case 'nonsense':
        return context.every(200).pipe(map((count) => nonsense(market, count)));
      case 'churns':
        return context.every(700).pipe(concatMap(() => from(churn(market, size, count++))));
      case 'moves':
        return context
          .every(1_200)
          .pipe(map(() => quote(market, size, 0.011 + (count++ % 9) / 1e3)));
      case 'crosses':
        return context.every(280).pipe(mergeMap(() => cross(market, size, count++)));
      case 'floods':
        return context.every(80).pipe(mergeMap(() => missing(market, size, count++)));
      case 'quotes':
      case 'may take':
      case 'throws': {
        const quotes$ = defer(() =>
          merge(of(0), context.every(500)).pipe(
            map(() => quote(market, size, 0.005, does !== 'may take')),
          ),
        );
        if (does !== 'throws') return quotes$;
        const fail$ = context.every(2_500).pipe(
          mergeMap((): Intent[] => {
            throw new Error('a mistake of the strategy');
          }),
        );
        return merge(quotes$, fail$);
      }
    }
  },
});
