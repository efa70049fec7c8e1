/**
 * A strategy of few words for runs in which something is to happen to its orders: now and then one
 * that rests a little off the market, and its cancel some time later.
 */
import { delay, filter, merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import { defineStrategy, type Lots, type Terms, type Ticks } from '../../src/index.ts';
import type { AnyStrategy } from '../../src/strategy/contract.ts';

export type Steady = {
  readonly everyMs: number;
  /** How long an order is wanted; 0 takes from the market at once instead. */
  readonly restMs: number;
  readonly ordersMax?: number;
  /** How far from the mid an order rests, as a share of it; 0.01 unless given. */
  readonly apart?: number;
};

/** Returns such a strategy; its orders alternate between the sides. */
export function steadyStrategy(options: Steady): AnyStrategy {
  const { everyMs, restMs, ordersMax = 1_000, apart = 0.01 } = options;
  const plugin = defineStrategy<Record<never, never>, { count: number }>({
    name: 'own',
    parameters: z.strictObject({}),
    pairs: 1,
    state: { schema: z.strictObject({ count: z.number() }), initial: { count: 0 } },
    run(context) {
      const [market] = context.pairs;
      if (market === undefined) throw new RangeError('one pair');
      const { pair } = market;
      let { count } = context.state();
      return context.every(everyMs).pipe(
        filter(() => market.top !== undefined && count < ordersMax),
        mergeMap(() => {
          const { bid = 0, ask = 0 } = market.top ?? {};
          const isBid = ++count % 2 === 0;
          const share = (restMs === 0 ? 1.002 : 1 - apart) ** (isBid ? 1 : -1);
          const key = `s${count}`;
          const terms: Terms = {
            side: isBid ? 'BID' : 'ASK',
            price: market.round(((bid + ask) / 2) * share, 'down') as Ticks,
            volume: 1_500 as Lots,
            ...(restMs === 0 ? { timeInForce: 'IOC' } : { postOnly: true }),
          };
          const remember = { kind: 'remember', state: { count } } as const;
          const place = { kind: 'place', pair, key, terms, reason: 'steady' } as const;
          const cancel = { kind: 'cancel', pair, key, reason: 'steady' } as const;
          return restMs === 0
            ? of(place, remember)
            : merge(of(place, remember), of(cancel).pipe(delay(restMs)));
        }),
      );
    },
  });
  return plugin as unknown as AnyStrategy;
}
