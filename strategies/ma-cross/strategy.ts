/**
 * Crossing averages: holds `size` while the average of the last `fast` closes is above that of the
 * last `slow`, and nothing otherwise. Decides when a candle closes, with taker orders.
 *
 * Invariants: never short; one order at a time; at most one order per candle.
 */
import { defer, EMPTY, map } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  type Candle,
  type Context,
  defineStrategy,
  type Intent,
  type Lots,
  type MarketContext,
  type Side,
  share,
  span,
} from '../../src/index.ts';

const closes = z.int().min(1).max(1_000);

const parameters = z
  .strictObject({
    candle: span.default(60_000),
    fast: closes,
    slow: closes,
    size: amount,
    slip: share.refine((fraction) => fraction < 1, { error: 'must be below 100%' }).default(0.001),
  })
  .refine(({ fast, slow }) => fast < slow, {
    path: ['fast'],
    error: 'must be less than slow',
  });

type Parameters = z.infer<typeof parameters>;

/** Returns the sum of the last `count` prices. */
function sumOfLast(prices: readonly number[], count: number): number {
  let sum = 0;
  for (let at = prices.length - count; at < prices.length; at++) sum += prices[at] ?? 0;
  return sum;
}

/** Returns whether the average of the last `fast` prices is above that of all, exactly. */
function isAbove(prices: readonly number[], fast: number): boolean {
  const all = prices.length;
  return sumOfLast(prices, fast) * all > sumOfLast(prices, all) * fast;
}

/** Returns an order that trades at once, up to `slip` worse than the best price, or idle. */
function take(side: Side, volume: Lots, { context, market, candle }: Moment): Intent {
  const { pair, rules, top } = market;
  const idle = (reason: string): Intent => ({ kind: 'idle', pair, reason });
  const best = side === 'BID' ? top?.ask : top?.bid;
  if (best === undefined) return idle('the other side of the book is empty');
  const { slip } = context.parameters;
  const price =
    side === 'BID'
      ? market.round(best * (1 + slip), 'down')
      : market.round(best * (1 - slip), 'up');
  if (price < rules.priceMin || price > rules.priceMax)
    return idle("the price is outside the market's range");
  return {
    kind: 'place',
    pair,
    // The key makes at most one order per candle, also after a restart.
    key: String(candle.startMs),
    terms: { side, price, volume, timeInForce: 'IOC' },
    reason: side === 'BID' ? 'the fast average is above' : 'the fast average is not above',
  };
}

type Moment = {
  readonly context: Context<Parameters, undefined>;
  readonly market: MarketContext;
  /** The candle that has just closed. */
  readonly candle: Candle;
};

function decide(prices: readonly number[], moment: Moment): Intent {
  const { context, market } = moment;
  const { pair, position, rules } = market;
  const { fast, slow, size } = context.parameters;
  const idle = (reason: string): Intent => ({ kind: 'idle', pair, reason });
  if (prices.length < slow) return idle(`${prices.length} of ${slow} candles`);
  if (market.orders.length > 0) return idle('an order is open');
  const isLong = position.base >= rules.volumeMin;
  if (isAbove(prices, fast)) {
    if (isLong) return idle('stays long');
    // Dust of the last position, too small to sell alone, is part of the new one.
    const missing = (market.lots(size) - position.base) as Lots;
    return take('BID', missing < rules.volumeMin ? rules.volumeMin : missing, moment);
  }
  if (isLong) return take('ASK', position.base, moment);
  return idle(
    market.isDust ? `stays out, with a remainder of ${market.holding} ${market.base}` : 'stays out',
  );
}

export default defineStrategy<Parameters>({
  name: 'ma-cross',
  parameters,
  pairs: 1,
  needs: ({ size }) => ({ sides: ['BID', 'ASK'], timeInForce: ['IOC'], postOnly: false, size }),
  warmUp: ({ candle, slow }) => ({ intervalMs: candle, candles: slow }),
  run(context) {
    const market = context.pairs[0];
    if (market === undefined) return EMPTY;
    const { candle: intervalMs, slow, size } = context.parameters;
    const { volumeMin, volumeMax } = market.rules;
    const lots = market.lots(size);
    if (lots < volumeMin || lots > volumeMax) {
      throw new RangeError(
        `size must be ${market.amountOf(volumeMin)} to ${market.amountOf(volumeMax)} ` +
          `${market.base}, was ${size}`,
      );
    }
    return defer(() => {
      const prices = market.history.slice(-slow).map(({ close }) => close);
      return market.candle$(intervalMs).pipe(
        map((candle) => {
          prices.push(candle.close);
          if (prices.length > slow) prices.shift();
          return decide(prices, { context, market, candle });
        }),
      );
    });
  },
});
