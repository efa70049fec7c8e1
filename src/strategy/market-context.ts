/** One pair as a strategy sees it: the engine's live views, the streams, and exact conversions. */
import type { Market, Side } from '../domain/market.ts';
import { formatTicks, parseLots, parseTicks } from '../domain/market.ts';
import type { Candle, Top } from '../domain/market-view.ts';
import { Decimal, decimalOf, type Lots, type Ticks } from '../domain/money.ts';
import { lotsOf, ticksOf } from '../domain/ticks-and-lots.ts';
import { candles, type SeenTrades } from './candle-stream.ts';
import type { MarketContext, OwnOrder, Position } from './contract.ts';
import { ExactAmounts } from './exact-amounts.ts';
import type { MarketStreams } from './market-streams.ts';
import type { VirtualScheduler } from './virtual-scheduler.ts';

/**
 * What the engine offers the host of one strategy for one pair: its views, read while an event is
 * handled. A view that did not change is the same object.
 */
export type MarketAccess = {
  readonly market: Market;
  /** Fractions; negative for a rebate. */
  readonly fees: { readonly maker: number; readonly taker: number };
  /** Undefined while the book is unusable. */
  top(): Top | undefined;
  volumeAt(side: Side, price: Ticks): Lots;
  /** The strategy's own. */
  position(): Position;
  /** The same to the last digit, in the base currency. */
  holding(): Decimal;
  /** Whether it is not zero and below the smallest volume. */
  isDust(): boolean;
  /** The strategy's orders on this pair that are not final. */
  orders(): readonly OwnOrder[];
  /** What is left of the strategy's budget. */
  available(currency: string): Decimal;
  /** As the strategy's `warmUp` asked, oldest first. */
  readonly history: readonly Candle[];
};

/** What the strategy has on the pair, pending intents included. */
export type OwnViews = Pick<MarketAccess, 'orders' | 'position'>;

/** Returns the context of one pair. */
export function createMarketContext(parts: {
  readonly access: MarketAccess;
  readonly own: OwnViews;
  readonly streams: MarketStreams;
  readonly scheduler: VirtualScheduler;
  /** What was traded while the strategy waited for its start; undefined once that is past. */
  readonly seen: () => SeenTrades | undefined;
}): MarketContext {
  const { access, own, streams, scheduler, seen } = parts;
  const { market, fees } = access;
  const volumes = new ExactAmounts(market.volumeScale);
  const values = new ExactAmounts(market.priceScale + market.volumeScale);
  const frozen = { top: undefined, position: undefined, orders: undefined } as Frozen;
  return Object.freeze<MarketContext>({
    pair: market.pair,
    base: market.base,
    counter: market.counter,
    get top() {
      const top = access.top();
      if (top !== frozen.top) frozen.top = top && Object.freeze(top);
      return top;
    },
    book: Object.freeze({
      volumeAt: (side: Side, price: Ticks) => access.volumeAt(side, price),
    }),
    get position() {
      const position = own.position();
      if (position !== frozen.position) frozen.position = Object.freeze(position);
      return position;
    },
    get holding() {
      return access.holding();
    },
    get isDust() {
      return access.isDust();
    },
    get orders() {
      const orders = own.orders();
      if (orders !== frozen.orders) frozen.orders = Object.freeze(orders);
      return orders;
    },
    rules: Object.freeze({
      volumeMin: market.volumeMin,
      volumeMax: market.volumeMax,
      priceMin: market.priceMin,
      priceMax: market.priceMax,
      makerFee: fees.maker,
      takerFee: fees.taker,
    }),
    history: Object.freeze(access.history.map((candle) => Object.freeze({ ...candle }))),
    top$: streams.top$,
    usable$: streams.usable$,
    trade$: streams.trade$,
    order$: streams.order$,
    fill$: streams.fill$,
    refusal$: streams.refusal$,
    candle$: (intervalMs) =>
      candles({
        trade$: streams.trade$,
        intervalMs,
        scheduler,
        lastPrice: access.history.at(-1)?.close,
        seen,
      }),
    ticks: (text) => parseTicks(text, market) ?? refuse('price', text, market.pair),
    lots: (text) => parseLots(text, market) ?? refuse('volume', text, market.pair),
    round: (ticks, to) => roundTicks(ticks, to),
    lotsFor: (counter, price) => lotsFor(counter, price, market),
    valueOf: (price, volume) => values.ofProduct(price, volume),
    amountOf: (volume) => volumes.of(volume),
    priceText: (price) => formatTicks(price, market),
  });
}

/** The views that were handed out last; freezing one again would cost more than to compare it. */
type Frozen = {
  top: Top | undefined;
  position: Position | undefined;
  orders: readonly OwnOrder[] | undefined;
};

function refuse(what: string, text: string, pair: string): never {
  throw new RangeError(`"${text}" is no exact ${what} of ${pair}`);
}

function powerOfTen(scale: number): Decimal {
  return new Decimal(10).pow(scale);
}

/** Returns a computed price as whole ticks. Throws RangeError if it is not finite or too large. */
function roundTicks(ticks: number, to: 'down' | 'up'): Ticks {
  const whole = to === 'down' ? Math.floor(ticks) : Math.ceil(ticks);
  if (!Number.isSafeInteger(whole))
    throw new RangeError(`price must be finite, was ${ticks} ticks`);
  // Never -0.
  return ticksOf(whole === 0 ? 0 : whole);
}

/** Returns how many lots the amount `counter` buys at `price`, rounded down. */
export function lotsFor(counter: string, price: Ticks, market: Market): Lots {
  if (!(Number.isSafeInteger(price) && price > 0)) {
    throw new RangeError(`price must be above zero, was ${price} ticks`);
  }
  // One lot at one tick is 10^-(priceScale + volumeScale) counter. BigInt rounds nothing.
  const steps = decimalOf(counter).times(powerOfTen(market.priceScale + market.volumeScale));
  const lots = BigInt(steps.trunc().toFixed()) / BigInt(price);
  if (lots < 0n || lots > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(`"${counter}" ${market.counter} is no volume of ${market.pair}`);
  }
  return lotsOf(Number.parseInt(lots.toString(), 10));
}
