/** fakeContext: what a strategy sees of its own trading is what its fills say. */
import { EMPTY, mergeMap } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Context,
  defineStrategy,
  type Intent,
  type MarketContext,
  type Side,
} from '../../../src/index.ts';
import { fakeContext } from '../../../src/testing.ts';

const pair = 'XBTZAR';
const top = { bid: '999', ask: '1001' };

test('fills of a script count in totals, profit, fills and what the account has', () => {
  let seen: { context: Context<unknown, unknown>; market: MarketContext } | undefined;
  const trader = defineStrategy<unknown, unknown>({
    name: 'trader',
    parameters: z.unknown(),
    pairs: 1,
    run(context) {
      const [market] = context.pairs;
      if (market === undefined) return EMPTY;
      seen = { context, market };
      const place = (key: string, side: Side, price: string): Intent => {
        const terms = { side, price: market.ticks(price), volume: market.lots('2') } as const;
        return { kind: 'place', pair, key, terms, tag: `${key}-tag`, reason: 'trades' };
      };
      return market.top$.pipe(
        mergeMap(() => [place('buy', 'BID', '990'), place('sell', 'ASK', '1010')]),
      );
    },
  });
  fakeContext(trader, {
    ...{ position: '3', averagePrice: '900', available: { ZAR: '10000', XBT: '3' } },
    top: ['a', { a: top }],
    fills: ['-bs', { b: { key: 'buy', volume: '1' }, s: { key: 'sell' } }],
  });
  if (seen === undefined) throw new Error('it did not run');
  const { context, market } = seen;
  const { totals, profit } = market;
  expect([totals.fills, totals.bought.volume, totals.sold.volume]).toEqual([2, 4e6, 2e6]);
  // 4 for 3 × 900 + 990, of which 2 were sold for 1010; the mid is 1000.
  const average = (3 * 900 + 990) / 4;
  expect(Number(profit.realised)).toBe(2 * (1010 - average));
  expect(Number(profit.open)).toBe(2 * (1000 - average));
  expect(Number(context.profit('ZAR').total)).toBe(-2 * average * 2 + 2 * 1010 + 2 * 1000);
  expect(Number(context.fees('XBT'))).toBe(0);
  expect(market.fillsSince(context.nowMs() - 1_000).map(({ tag }) => tag)).toEqual(['sell-tag']);
  expect([market.filledOf('buy')?.volume, market.filledOf('sell')?.volume]).toEqual([1e6, 2e6]);
  expect([market.filledOf('other'), market.orders[0]?.booked?.volume]).toEqual([undefined, 1e6]);
  const { total, free, reserved } = context.balance('ZAR') ?? {};
  // 990 are paid, 990 are held for the rest, and 2020 came.
  expect([total, free, reserved].map(Number)).toEqual([11_030, 10_040, 990]);
});
