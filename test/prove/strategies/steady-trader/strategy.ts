/**
 * A strategy that always does something, with few calls: one bid and one ask that are moved in
 * turn, and between the moves an order that trades at once, towards no position.
 */
import { defer, merge, mergeMap, of } from 'rxjs';
import { z } from 'zod';
import {
  amount,
  defineStrategy,
  type Intent,
  type MarketContext,
  type QuotedOrder,
  type Side,
  span,
  type Ticks,
} from '../../../../src/index.ts';

const parameters = z.strictObject({ size: amount, every: span });

/** How far from the mid an order rests, and how much more an order may cost that trades at once. */
const awayBps = 40;
const takeBps = 15;

function shifted(market: MarketContext, mid: number, side: Side, bps: number): Ticks {
  const isUp = side === 'ASK';
  return market.round(mid * (1 + ((isUp ? 1 : -1) * bps) / 10_000), isUp ? 'up' : 'down');
}

export default defineStrategy<z.infer<typeof parameters>>({
  name: 'steady-trader',
  parameters,
  pairs: 1,
  run(context) {
    const market = context.pairs[0] as MarketContext;
    const { pair } = market;
    const volume = market.lots(context.parameters.size);
    const prices: { BID?: Ticks; ASK?: Ticks } = {};
    let turn = 0;

    const quoteOf = (bid: Ticks, ask: Ticks): Intent => {
      const mid = (bid + ask) / 2;
      const place = (side: Side): QuotedOrder => {
        const kept = prices[side];
        // One that the market has reached is moved, whoever's turn it is.
        const isBehind = kept !== undefined && (side === 'BID' ? kept < bid : kept > ask);
        const price = isBehind ? kept : shifted(market, mid, side, awayBps);
        prices[side] = price;
        return { level: side.toLowerCase(), side, price, volume, postOnly: true };
      };
      return { kind: 'quote', pair, orders: [place('BID'), place('ASK')], reason: 'both sides' };
    };
    const take = (mid: number): Intent => {
      const side: Side = market.position.base > 0 ? 'ASK' : 'BID';
      const reached = shifted(market, mid, side === 'BID' ? 'ASK' : 'BID', takeBps);
      // Not so far as to meet an order of our own.
      const { BID: own = 0, ASK: other = Infinity } = prices;
      const price = side === 'BID' ? Math.min(reached, other - 1) : Math.max(reached, own + 1);
      const terms = { side, price: price as Ticks, volume, timeInForce: 'IOC' as const };
      return { kind: 'place', pair, key: `take-${turn}`, terms, reason: 'between two moves' };
    };
    const decide = (): readonly Intent[] => {
      const { bid, ask } = market.top ?? {};
      if (bid === undefined || ask === undefined)
        return [{ kind: 'idle', pair, reason: 'the book has no two sides' }];
      turn++;
      if (turn % 4 === 1) delete prices.BID;
      if (turn % 4 === 3) delete prices.ASK;
      return [quoteOf(bid, ask), ...(turn % 2 === 0 ? [take((bid + ask) / 2)] : [])];
    };
    return defer(() =>
      merge(of('start'), context.every(context.parameters.every)).pipe(mergeMap(decide)),
    );
  },
});
