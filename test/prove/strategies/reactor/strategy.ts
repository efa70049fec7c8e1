/**
 * The strategy of `prove -- latency`: it answers each change of the best bid with one bid far
 * below, by `place` and `cancel` or by a `quote` that moves.
 */
import { distinctUntilChanged, filter, from, map, mergeMap } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  type Intent,
  type MarketContext,
  type Ticks,
} from '../../../../src/index.ts';

const parameters = z.strictObject({
  does: z.enum(['place', 'quote']),
  size: amount,
  /** Ticks below the best bid. */
  below: z.int().min(1),
});

export default defineStrategy<z.infer<typeof parameters>>({
  name: 'reactor',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { pair } = market;
    const { does, size, below } = context.parameters;
    const volume = market.lots(size);
    const price$ = market.top$.pipe(
      map(({ bid }) => bid),
      filter((bid) => bid !== undefined),
      // The best ask may have changed alone.
      distinctUntilChanged(),
      map((bid) => (bid - below) as Ticks),
    );
    const terms = (price: Ticks) => ({ side: 'BID', price, volume }) as const;
    const reason = 'the best bid has changed';
    if (does === 'quote')
      return price$.pipe(
        map((price): Intent => {
          const orders = [{ level: 'bid', ...terms(price) }];
          return { kind: 'quote', pair, orders, toleranceTicks: 0, reason };
        }),
      );
    let count = 0;
    // A key is used once, also after a restart.
    const keyOf = (number: number): string => `${context.nowMs()}-${number}`;
    let key: string | undefined;
    return price$.pipe(
      mergeMap((price) => {
        const intents: Intent[] = [];
        if (key !== undefined) intents.push({ kind: 'cancel', pair, key, reason });
        key = keyOf(++count);
        intents.push({ kind: 'place', pair, key, terms: terms(price), reason });
        return from(intents);
      }),
    );
  },
});
