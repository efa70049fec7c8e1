/** In a backtest, a strategy sees the profit, fees and fills that its result has. */
import { map } from 'rxjs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Context,
  Decimal,
  defineStrategy,
  type Intent,
  lotsOf,
  type MarketContext,
} from '../../src/index.ts';
import { playRecording } from '../../src/testing.ts';
import { profitOfRows } from '../support/account-oracle.ts';

test('the account of a strategy is that of the result', async () => {
  let seen: { context: Context<unknown, unknown>; market: MarketContext } | undefined;
  const strategy = defineStrategy<unknown, unknown>({
    name: 'taker',
    parameters: z.strictObject({}),
    pairs: 1,
    run(context) {
      const [market] = context.pairs;
      if (market === undefined) throw new RangeError('one pair');
      seen = { context, market };
      return context.every(20_000).pipe(
        map((count): Intent => {
          const { top, pair } = market;
          const side = context.random() < 0.5 ? 'BID' : 'ASK';
          const price = side === 'BID' ? top?.ask : top?.bid;
          if (price === undefined) return { kind: 'idle', pair, reason: 'no prices' };
          const volume = lotsOf(1_000 + Math.floor(context.random() * 3_000));
          const terms = { side, price, volume, timeInForce: 'IOC', postOnly: false } as const;
          return { kind: 'place', pair, key: `k${count}`, terms, reason: 'test' };
        }),
      );
    },
  });
  const { fills, profit, fees, orders, startMs } = await playRecording(strategy);
  if (seen === undefined) throw new Error('the strategy did not run');
  const { context, market } = seen;
  expect(fills.length).toBeGreaterThan(50);
  expect(market.totals.fills).toBe(fills.length);
  expect(context.fees(market.base).toFixed()).toBe(fees.base);
  expect(context.fees(market.counter).toFixed()).toBe(fees.counter);
  expect(context.profit(market.counter).total?.toFixed()).toBe(profit);
  const { realised } = profitOfRows(fills, undefined);
  expect(market.profit.realised?.minus(realised).abs().lessThan('1e-12')).toBe(true);
  const seenFills = market.fillsSince(startMs);
  expect(
    seenFills.map(({ price, volume, fees: { base, counter }, atMs }) =>
      [market.priceOf(price), market.amountOf(volume), base, counter, new Decimal(atMs)].map(
        String,
      ),
    ),
  ).toEqual(
    fills.map(({ price, volume, feeBase, feeCounter, tradedMs }) =>
      [price, volume, feeBase, feeCounter, tradedMs].map((value) => String(new Decimal(value))),
    ),
  );
  for (const { key } of orders) {
    const ofKey = seenFills.filter((fill) => fill.key === key);
    const volume = ofKey.reduce((sum, fill) => sum + fill.volume, 0);
    expect([key, market.filledOf(key)?.volume]).toEqual([key, volume]);
  }
});
