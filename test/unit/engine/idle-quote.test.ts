/** An idle only says why nothing is asked for: it hides no quote, and ends none. */
import { concat, concatMap, from, map, NEVER, of, take } from 'rxjs';
import { expect, test } from 'vitest';
import { blockOf } from '../../../src/engine/trading/trading-situation.ts';
import type { Intent, Lots, MarketContext, QuotedOrder } from '../../../src/index.ts';
import { begin, once } from '../../support/scripted-world.ts';
import type { VirtualWorld } from '../../support/virtual-world.ts';

const idle = ({ pair }: MarketContext): Intent => ({ kind: 'idle', pair, reason: 'resting' });

/** A bid of that share of the best one. */
function bid(market: MarketContext, share = 0.99): QuotedOrder {
  const price = market.round((market.top?.bid ?? 1_000_000) * share, 'down');
  return { level: 'bid', side: 'BID', price, volume: 1_000 as Lots, postOnly: true };
}

const quote = (market: MarketContext, orders: readonly QuotedOrder[]): Intent => ({
  ...{ kind: 'quote', pair: market.pair, orders, reason: 'test' },
});

const live = (world: VirtualWorld): number => world.engine?.orders.tracker.liveCount ?? 0;
const blocks = (world: VirtualWorld) => world.engine?.tradingBlocks.map(({ kind }) => kind);

test('a quote of the same event is placed, and is no reason not to trade', () => {
  const world = begin((context, market) =>
    once(context, 1_000).pipe(concatMap(() => from([quote(market, [bid(market)]), idle(market)]))),
  );
  expect(live(world)).toBe(1);
  expect(blocks(world)).toEqual([]);
  const target = world.engine?.parts.inbox.targetOf('own', 'XBTZAR');
  expect([target?.quotes.wanted?.orders.length, target?.idleReason]).toEqual([1, 'resting']);
});

test('where the gate refuses one side, the block says which, as long as the other has its order', () => {
  const ask = (market: MarketContext, lots: number): QuotedOrder => ({
    ...{ level: 'ask', side: 'ASK', postOnly: true, volume: lots as Lots },
    price: market.round((market.top?.ask ?? 1_000_000) * 1.01, 'up'),
  });
  const blockOfQuote = (orders: (market: MarketContext) => readonly QuotedOrder[]) => {
    const world = begin((context, market) =>
      once(context, 1_000).pipe(map(() => quote(market, orders(market)))),
    );
    const situation = world.engine?.parts.trading.situationOf('own', 'XBTZAR');
    return situation && blockOf(situation);
  };
  const tooMuch = 900_000_000;
  expect(blockOfQuote((market) => [bid(market), ask(market, tooMuch)])).toMatchObject({
    ...{ kind: 'refused', only: 'ASK', reason: expect.stringContaining('ask is refused: ') },
  });
  const second = (market: MarketContext) => ({
    ...{ ...bid(market, 0.98), level: 'bid.2', volume: tooMuch as Lots },
  });
  expect(blockOfQuote((market) => [bid(market), second(market)])).toMatchObject({
    ...{ kind: 'refused', only: 'some' },
  });
  const all = blockOfQuote((market) => [ask(market, tooMuch)]);
  expect(all).toMatchObject({ kind: 'refused' });
  expect(all).not.toHaveProperty('only');
});

test('an order of the quote that the exchange rejected is placed again after an idle', () => {
  // Above the best ask, a post-only bid is rejected; the strategy then only idles.
  let isFirst = true;
  const world = begin(
    (context, market) =>
      concat(
        context.every(1_000).pipe(
          take(8),
          map(() => {
            if (!isFirst) return idle(market);
            isFirst = false;
            return quote(market, [bid(market, 1.01)]);
          }),
        ),
        of(quote(market, [])),
        NEVER,
      ),
    {},
    7,
  );
  expect(world.engine?.orders.rejections.size).toBeGreaterThan(0);
  const rejected = world.witness.calls.get('postorder') ?? 0;
  expect(rejected).toBeGreaterThan(1);
  world.pass(6);
  expect(live(world)).toBe(0);
});
