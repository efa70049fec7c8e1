/**
 * Simple market maker: one bid and one ask, post-only, at an equal distance from the mid.
 *
 * Quotes when the book is first usable, every `refresh`, and after each fill of its own. A side
 * that the budget or the position does not allow is left out, with the reason; an ask is reduced to
 * the volume that is available.
 *
 * Invariants: at most one order per side; a bid stays below the best ask and an ask above the best
 * bid.
 */
import {
  amount,
  type Context,
  defineStrategy,
  type Intent,
  isFinal,
  type Lots,
  type MarketContext,
  type QuotedOrder,
  type Side,
  share,
  span,
  type Ticks,
} from 'millrace';
import { defer, EMPTY, filter, map, merge, of, tap } from 'rxjs';
import { z } from 'zod';

const parameters = z.strictObject({
  halfSpread: share.refine((fraction) => fraction >= 0.00001 && fraction < 1, {
    error: 'must be from 0.1bps to below 100%',
  }),
  size: amount,
  refresh: span.default(15_000),
  tolerance: share
    .refine((fraction) => fraction < 1, { error: 'must be below 100%' })
    .default(0.0002),
});

type Parameters = z.infer<typeof parameters>;
type BothSides = { readonly bid: Ticks; readonly ask: Ticks };

/** Returns the best prices if both sides have orders. */
function bothSides(market: MarketContext): BothSides | undefined {
  const top = market.top;
  if (top?.bid === undefined || top.ask === undefined || top.bid >= top.ask) return undefined;
  return { bid: top.bid, ask: top.ask };
}

/** Returns the prices to quote: around the mid, and never crossing the book. */
function pricesOf(top: BothSides, halfSpread: number, market: MarketContext): BothSides {
  const mid = (top.bid + top.ask) / 2;
  return {
    bid: market.round(Math.min(mid * (1 - halfSpread), top.ask - 1), 'down'),
    ask: market.round(Math.max(mid * (1 + halfSpread), top.bid + 1), 'up'),
  };
}

/** A volume to quote, or the reason to quote nothing. */
type Quotable = Lots | string;

/** Returns the volume to quote on `side`, at most `size`, or the reason to quote nothing. */
function quotable(
  side: Side,
  price: Ticks,
  size: Lots,
  context: Context<Parameters, undefined>,
  market: MarketContext,
): Quotable {
  const { rules, position, base, counter } = market;
  const name = side === 'BID' ? 'bid' : 'ask';
  if (price < rules.priceMin || price > rules.priceMax)
    return `no ${name}: the price is outside the market's range`;

  // The order to be replaced releases its volume and its funds.
  const own = market.orders.filter(
    ({ terms, state, level }) => terms.side === side && level !== undefined && !isFinal(state),
  );
  const remaining = own.reduce((sum, { terms, filled }) => sum + terms.volume - filled, 0) as Lots;

  const limit = context.budget(base);
  if (side === 'BID') {
    const highest = (position.highest - remaining + size) as Lots;
    if (market.amountOf(highest).greaterThan(limit))
      return `no bid: the position would exceed ${limit} ${base}`;
  } else {
    const lowest = (position.lowest + remaining - size) as Lots;
    if (market.amountOf(lowest).lessThan(limit.negated())) {
      return `no ask: the position would fall below -${limit} ${base}`;
    }
  }

  const currency = side === 'BID' ? counter : base;
  const held = own.reduce(
    (sum, { terms, filled }) => {
      const rest = (terms.volume - filled) as Lots;
      return sum.plus(side === 'BID' ? market.valueOf(terms.price, rest) : market.amountOf(rest));
    },
    market.amountOf(0 as Lots),
  );
  const needed = side === 'BID' ? market.valueOf(price, size) : market.amountOf(size);
  const usable = context.available(currency).plus(held);
  if (usable.greaterThanOrEqualTo(needed)) return size;
  if (side === 'ASK') {
    // Fees taken in the base currency leave less than was bought; offer all that is left.
    const left = market.nearestLot(usable, 'down');
    if (left >= rules.volumeMin) return left;
  }
  return `no ${name}: ${usable} ${currency} available, ${needed} needed`;
}

/** Returns a quote, or idle with the reason. */
function decide(context: Context<Parameters, undefined>, market: MarketContext): Intent {
  const { pair } = market;
  const { halfSpread, tolerance, size: sizeText } = context.parameters;
  const top = bothSides(market);
  if (top === undefined) {
    const reason =
      market.top === undefined ? 'the book is unusable' : 'the book has no bid or no ask';
    return { kind: 'idle', pair, reason };
  }

  const size = market.lots(sizeText);
  const prices = pricesOf(top, halfSpread, market);
  const orders: QuotedOrder[] = [];
  const obstacles: string[] = [];
  for (const side of ['BID', 'ASK'] as const) {
    const price = side === 'BID' ? prices.bid : prices.ask;
    const volume = quotable(side, price, size, context, market);
    if (typeof volume === 'string') obstacles.push(volume);
    else orders.push({ level: side.toLowerCase(), side, price, volume, postOnly: true });
  }
  const mid = (top.bid + top.ask) / 2;
  const around = `around ${market.priceText(top.bid)} / ${market.priceText(top.ask)}`;
  return {
    kind: 'quote',
    pair,
    orders,
    toleranceTicks: Math.floor(mid * tolerance),
    reason: [around, ...obstacles].join('; '),
  };
}

export default defineStrategy<Parameters>({
  name: 'simple-mm',
  parameters,
  pairs: 1,
  quoting: ({ halfSpread, refresh, tolerance }) => ({ halfSpread, refreshMs: refresh, tolerance }),
  needs: ({ size }) => ({
    sides: ['BID', 'ASK'],
    timeInForce: ['GTC'],
    postOnly: true,
    size,
    ordersAtOnce: 2,
  }),
  run(context) {
    const market = context.pairs[0];
    if (market === undefined) return EMPTY;
    const size = market.lots(context.parameters.size);
    const { volumeMin, volumeMax } = market.rules;
    if (size < volumeMin || size > volumeMax) {
      throw new RangeError(
        `size must be ${market.amountOf(volumeMin)} to ${market.amountOf(volumeMax)} ` +
          `${market.base}, was ${context.parameters.size}`,
      );
    }
    return defer(() => {
      let quoting = false;
      const lost$ = market.usable$.pipe(filter((usable) => !usable));
      return merge(
        of('start'),
        context.every(context.parameters.refresh),
        market.fill$,
        market.top$.pipe(filter(() => !quoting)),
        lost$,
      ).pipe(
        map(() => decide(context, market)),
        tap((intent) => {
          quoting = intent.kind === 'quote';
        }),
      );
    });
  },
});
