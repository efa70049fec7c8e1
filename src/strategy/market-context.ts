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
 * The engine's views of one pair for one strategy, read while an event is handled. A view that has
 * not changed is the same object, and all are frozen: the strategy gets them as they are.
 */
export type MarketAccess = {
  readonly market: Market;
  /** Fractions; negative for a rebate. */
  readonly fees: { readonly maker: number; readonly taker: number };
  /** Undefined while the book is unusable. */
  top(): Top | undefined;
  volumeAt(side: Side, price: Ticks): Lots;
  /** The strategy's position, without pending orders. */
  position(): Position;
  /** The exact position, in the base currency. */
  holding(): Decimal;
  /** Whether the position is not zero but smaller than the market's smallest volume. */
  isDust(): boolean;
  /** The strategy's orders on this pair that are not final. */
  orders(): readonly OwnOrder[];
  /** How much of a currency new orders may use, without pending orders. */
  available(currency: string): Decimal;
  /** The candles that the strategy's `warmUp` requests, oldest first. */
  readonly history: readonly Candle[];
};

/** The strategy's orders and position on the pair, including pending orders. */
export type OwnViews = Pick<MarketAccess, 'orders' | 'position'>;

type Parts = {
  readonly access: MarketAccess;
  readonly own: OwnViews;
  readonly streams: MarketStreams;
  readonly scheduler: VirtualScheduler;
  /** The trades from the time that the strategy waited to start; undefined after that event. */
  readonly seen: () => SeenTrades | undefined;
};

/** Returns the context of one pair. */
export function createMarketContext(parts: Parts): MarketContext {
  return Object.freeze(new PairContext(parts));
}

/**
 * A class, because V8 gives each object literal with getters a shape of its own: a strategy that
 * runs again in the same process would look up each view by its name. The views are members of the
 * object and not of a prototype, so that `{ ...market }` has them and no plugin can change another
 * one's.
 */
class PairContext implements MarketContext {
  static readonly #views = PairContext.#viewsOf({
    get top(): Top | undefined {
      return this.#access.top();
    },
    get position(): Position {
      return this.#own.position();
    },
    get holding(): Decimal {
      return this.#access.holding();
    },
    get isDust(): boolean {
      return this.#access.isDust();
    },
    get orders(): readonly OwnOrder[] {
      return this.#own.orders();
    },
  });
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  readonly book: MarketContext['book'];
  readonly rules: MarketContext['rules'];
  readonly history: MarketContext['history'];
  readonly top$: MarketContext['top$'];
  readonly topWithVolume$: MarketContext['topWithVolume$'];
  readonly usable$: MarketContext['usable$'];
  readonly trade$: MarketContext['trade$'];
  readonly order$: MarketContext['order$'];
  readonly fill$: MarketContext['fill$'];
  readonly refusal$: MarketContext['refusal$'];
  readonly candle$: MarketContext['candle$'];
  readonly ticks: MarketContext['ticks'];
  readonly lots: MarketContext['lots'];
  readonly round: MarketContext['round'];
  readonly lotsFor: MarketContext['lotsFor'];
  readonly valueOf: MarketContext['valueOf'];
  readonly amountOf: MarketContext['amountOf'];
  readonly priceText: MarketContext['priceText'];
  declare readonly top: Top | undefined;
  declare readonly position: Position;
  declare readonly holding: Decimal;
  declare readonly isDust: boolean;
  declare readonly orders: readonly OwnOrder[];
  readonly #access: MarketAccess;
  readonly #own: OwnViews;

  constructor({ access, own, streams, scheduler, seen }: Parts) {
    const { market, fees, history } = access;
    const volumes = new ExactAmounts(market.volumeScale);
    const values = new ExactAmounts(market.priceScale + market.volumeScale);
    this.#access = access;
    this.#own = own;
    this.pair = market.pair;
    this.base = market.base;
    this.counter = market.counter;
    this.book = Object.freeze({
      volumeAt: (side: Side, price: Ticks) => access.volumeAt(side, price),
    });
    this.rules = Object.freeze({
      volumeMin: market.volumeMin,
      volumeMax: market.volumeMax,
      priceMin: market.priceMin,
      priceMax: market.priceMax,
      makerFee: fees.maker,
      takerFee: fees.taker,
    });
    this.history = Object.freeze(history.map((candle) => Object.freeze({ ...candle })));
    this.top$ = streams.top$;
    this.topWithVolume$ = streams.topWithVolume$;
    this.usable$ = streams.usable$;
    this.trade$ = streams.trade$;
    this.order$ = streams.order$;
    this.fill$ = streams.fill$;
    this.refusal$ = streams.refusal$;
    this.candle$ = (intervalMs) => {
      const lastPrice = history.at(-1)?.close;
      return candles({ trades: streams.collectedTrades, intervalMs, scheduler, lastPrice, seen });
    };
    // Functions of the object, so that a strategy may take them out of it.
    this.ticks = (text) => parseTicks(text, market) ?? refuse('price', text, market.pair);
    this.lots = (text) => parseLots(text, market) ?? refuse('volume', text, market.pair);
    this.round = roundTicks;
    this.lotsFor = (counter, price) => lotsFor(counter, price, market);
    this.valueOf = (price, volume) => values.ofProduct(price, volume);
    this.amountOf = (volume) => volumes.of(volume);
    this.priceText = (price) => formatTicks(price, market);
    Object.defineProperties(this, PairContext.#views);
  }

  /** The getters of `views`, which are called on a context. */
  static #viewsOf(views: object & ThisType<PairContext>): PropertyDescriptorMap {
    return Object.getOwnPropertyDescriptors(views) as PropertyDescriptorMap;
  }
}

function refuse(what: string, text: string, pair: string): never {
  throw new RangeError(`"${text}" is not an exact ${what} of ${pair}`);
}

function powerOfTen(scale: number): Decimal {
  return new Decimal(10).pow(scale);
}

/** Rounds a computed price to whole ticks; throws RangeError if it is not finite or beyond 2^53. */
function roundTicks(ticks: number, to: 'down' | 'up'): Ticks {
  const whole = to === 'down' ? Math.floor(ticks) : Math.ceil(ticks);
  if (!Number.isSafeInteger(whole))
    throw new RangeError(`price must be finite, was ${ticks} ticks`);
  // -0 becomes 0.
  return ticksOf(whole === 0 ? 0 : whole);
}

/**
 * Returns how many lots the amount `counter` buys at `price`, rounded down. Throws RangeError if
 * `counter` is not decimal text, `price` is not above 0, or the result is negative or beyond 2^53.
 */
export function lotsFor(counter: string, price: Ticks, market: Market): Lots {
  if (!(Number.isSafeInteger(price) && price > 0)) {
    throw new RangeError(`price must be above zero, was ${price} ticks`);
  }
  // One lot at one tick costs 10^-(priceScale + volumeScale) of the counter currency.
  const steps = decimalOf(counter).times(powerOfTen(market.priceScale + market.volumeScale));
  const lots = BigInt(steps.trunc().toFixed()) / BigInt(price);
  if (lots < 0n || lots > BigInt(Number.MAX_SAFE_INTEGER)) {
    throw new RangeError(
      `"${counter}" ${market.counter} buys no valid volume of ${market.pair} at ${price} ticks`,
    );
  }
  return lotsOf(Number.parseInt(lots.toString(), 10));
}
