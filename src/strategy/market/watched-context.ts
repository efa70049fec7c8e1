/** One pair as a strategy sees its market: the engine's live views, streams, exact conversions. */
import type { Market } from '../../domain/market.ts';
import { formatTicks } from '../../domain/market.ts';
import type { Candle, Top } from '../../domain/market-view.ts';
import { Decimal, decimalOf, type Lots, parseScaled, type Ticks } from '../../domain/money.ts';
import { lotsOf, ticksOf } from '../../domain/ticks-and-lots.ts';
import {
  checkChoice,
  checkDecimalText,
  checkWhole,
  decimalArgument,
  refuseArgument,
} from '../argument.ts';
import { candles, type SeenTrades } from '../candle-stream.ts';
import type { WatchedMarket } from '../contract.ts';
import { ExactAmounts } from '../exact-amounts.ts';
import type { PairStreams } from '../market-streams.ts';
import type { StrategyOutputs } from '../outputs/strategy-outputs.ts';
import type { VirtualScheduler } from '../virtual-scheduler.ts';
import { type BookPrices, createMarketBook, micropriceOf, midOf } from './market-book.ts';

/**
 * The engine's views of one market, read while an event is handled. A view that has not changed is
 * the same object, and all are frozen: the strategy gets them as they are.
 */
export type WatchedAccess = {
  readonly market: Market;
  /** Fractions; negative for a rebate. */
  readonly fees: { readonly maker: number; readonly taker: number };
  /** Undefined while the book is unusable. */
  top(): Top | undefined;
  /** Undefined while the book is unusable. */
  book(): BookPrices | undefined;
  /** The candles that the strategy's `warmUp` requests, oldest first. */
  readonly history: readonly Candle[];
};

export type WatchedParts = {
  readonly access: WatchedAccess;
  readonly streams: PairStreams;
  readonly scheduler: VirtualScheduler;
  /** The trades from the time that the strategy waited to start; undefined after that event. */
  readonly seen: () => SeenTrades | undefined;
  readonly outputs: Pick<StrategyOutputs, 'plot'>;
};

/**
 * A class, because V8 gives each object literal with getters a shape of its own: a strategy that
 * runs again in the same process would look up each view by its name. The views are members of the
 * object and not of a prototype, so that `{ ...market }` has them and no plugin can change another
 * one's.
 */
export class WatchedContext implements WatchedMarket {
  static readonly #views = viewsOf<WatchedContext>({
    get top(): Top | undefined {
      return this.#access.top();
    },
    get mid(): number | undefined {
      return midOf(this.#access.top());
    },
    get microprice(): number | undefined {
      return micropriceOf(this.#access.top());
    },
  });
  readonly pair: string;
  readonly base: string;
  readonly counter: string;
  readonly book: WatchedMarket['book'];
  readonly rules: WatchedMarket['rules'];
  readonly history: WatchedMarket['history'];
  readonly top$: WatchedMarket['top$'];
  readonly topWithVolume$: WatchedMarket['topWithVolume$'];
  readonly usable$: WatchedMarket['usable$'];
  readonly trade$: WatchedMarket['trade$'];
  readonly candle$: WatchedMarket['candle$'];
  readonly ticks: WatchedMarket['ticks'];
  readonly lots: WatchedMarket['lots'];
  readonly nearestTick: WatchedMarket['nearestTick'];
  readonly nearestLot: WatchedMarket['nearestLot'];
  readonly round: WatchedMarket['round'];
  readonly lotsFor: WatchedMarket['lotsFor'];
  readonly valueOf: WatchedMarket['valueOf'];
  readonly amountOf: WatchedMarket['amountOf'];
  readonly priceOf: WatchedMarket['priceOf'];
  readonly priceText: WatchedMarket['priceText'];
  readonly plot: WatchedMarket['plot'];
  declare readonly top: Top | undefined;
  declare readonly mid: number | undefined;
  declare readonly microprice: number | undefined;
  readonly #access: WatchedAccess;

  constructor({ access, streams, scheduler, seen, outputs }: WatchedParts) {
    const { market, fees, history } = access;
    const prices = new ExactAmounts(market.priceScale);
    const volumes = new ExactAmounts(market.volumeScale);
    const values = new ExactAmounts(market.priceScale + market.volumeScale);
    this.#access = access;
    this.pair = market.pair;
    this.base = market.base;
    this.counter = market.counter;
    this.book = createMarketBook(() => access.book());
    this.rules = Object.freeze({
      volumeMin: market.volumeMin,
      volumeMax: market.volumeMax,
      priceMin: market.priceMin,
      priceMax: market.priceMax,
      priceScale: market.priceScale,
      volumeScale: market.volumeScale,
      makerFee: fees.maker,
      takerFee: fees.taker,
    });
    this.history = Object.freeze(history.map((candle) => Object.freeze({ ...candle })));
    this.top$ = streams.top$;
    this.topWithVolume$ = streams.topWithVolume$;
    this.usable$ = streams.usable$;
    this.trade$ = streams.trade$;
    this.candle$ = (intervalMs) => {
      const lastPrice = history.at(-1)?.close;
      return candles({ trades: streams.collectedTrades, intervalMs, scheduler, lastPrice, seen });
    };
    // Functions of the object, so that a strategy may take them out of it.
    this.ticks = (text) => exactSteps(pricesOf(market), text) as Ticks;
    this.lots = (text) => exactSteps(volumesOf(market), text) as Lots;
    this.nearestTick = (price, to) => nearestSteps(pricesOf(market), price, to) as Ticks;
    this.nearestLot = (volume, to) => nearestSteps(volumesOf(market), volume, to) as Lots;
    this.round = roundTicks;
    this.lotsFor = (counter, price) => lotsFor(counter, price, market);
    this.valueOf = (price, volume) => {
      checkWhole(['market.valueOf', 'price'], price, 'ticks');
      checkWhole(['market.valueOf', 'volume'], volume, 'lots');
      return values.ofProduct(price, volume);
    };
    this.amountOf = (volume) => {
      checkWhole(['market.amountOf', 'volume'], volume, 'lots');
      return volumes.of(volume);
    };
    this.priceOf = (price) => {
      checkWhole(['market.priceOf', 'price'], price, 'ticks');
      return prices.of(price);
    };
    this.priceText = (price) => {
      checkWhole(['market.priceText', 'price'], price, 'ticks');
      return formatTicks(price, market);
    };
    this.plot = (name, value, options) => outputs.plot(market, name, value, options);
    Object.defineProperties(this, WatchedContext.#views);
  }
}

/** Returns the getters of `views`, which are called on an object of the class. */
export function viewsOf<Self>(views: object & ThisType<Self>): PropertyDescriptorMap {
  return Object.getOwnPropertyDescriptors(views) as PropertyDescriptorMap;
}

/** What one kind of amount of a pair is counted in. */
type Steps = {
  readonly unit: 'tick' | 'lot';
  readonly what: 'price' | 'volume';
  readonly pair: string;
  readonly scale: number;
};

function pricesOf({ pair, priceScale }: Market): Steps {
  return { unit: 'tick', what: 'price', pair, scale: priceScale };
}

function volumesOf({ pair, volumeScale }: Market): Steps {
  return { unit: 'lot', what: 'volume', pair, scale: volumeScale };
}

function exactSteps(steps: Steps, text: string): number {
  const { unit, what, pair, scale } = steps;
  const argument = [`market.${unit}s`, 'text'] as const;
  checkDecimalText(argument, text);
  const count = parseScaled(text, scale);
  if (count !== undefined) return count;
  const nearest = unit === 'tick' ? 'nearestTick' : 'nearestLot';
  const allowed =
    `a ${what} of ${pair} with at most ${scale} decimals and below 2^53 ${unit}s ` +
    `(market.${nearest} rounds one with more)`;
  return refuseArgument(argument, allowed, text);
}

function nearestSteps(steps: Steps, value: string | Decimal, to: 'down' | 'up'): number {
  const { unit, what, pair, scale } = steps;
  const call = unit === 'tick' ? 'market.nearestTick' : 'market.nearestLot';
  const decimal = decimalArgument([call, what], value);
  checkChoice([call, 'to'], to, 'down', 'up');
  const rounding = to === 'down' ? Decimal.ROUND_FLOOR : Decimal.ROUND_CEIL;
  const count = parseScaled(decimal.toDecimalPlaces(scale, rounding).toFixed(), scale);
  if (count !== undefined) return count;
  return refuseArgument([call, what], `a ${what} of ${pair} below 2^53 ${unit}s`, value);
}

function powerOfTen(scale: number): Decimal {
  return new Decimal(10).pow(scale);
}

/** Rounds a computed price to whole ticks; throws RangeError if it is not finite or beyond 2^53. */
function roundTicks(ticks: number, to: 'down' | 'up'): Ticks {
  checkChoice(['market.round', 'to'], to, 'down', 'up');
  const whole = to === 'down' ? Math.floor(ticks) : Math.ceil(ticks);
  // Without this check, null and text would become numbers.
  if (typeof ticks !== 'number' || !Number.isSafeInteger(whole))
    refuseArgument(['market.round', 'ticks'], 'a finite number of ticks below 2^53', ticks);
  // -0 becomes 0.
  return ticksOf(whole === 0 ? 0 : whole);
}

/**
 * Returns how many lots the amount `counter` buys at `price`, rounded down. Throws RangeError if
 * `counter` is not decimal text, `price` is not above 0, or the result is negative or beyond 2^53.
 */
function lotsFor(counter: string, price: Ticks, market: Market): Lots {
  checkDecimalText(['market.lotsFor', 'counter'], counter);
  if (!(Number.isSafeInteger(price) && price > 0))
    refuseArgument(['market.lotsFor', 'price'], 'a whole number of ticks above 0', price);
  // One lot at one tick costs 10^-(priceScale + volumeScale) of the counter currency.
  const steps = decimalOf(counter).times(powerOfTen(market.priceScale + market.volumeScale));
  const lots = BigInt(steps.trunc().toFixed()) / BigInt(price);
  if (lots < 0n || lots > BigInt(Number.MAX_SAFE_INTEGER)) {
    const allowed = `an amount of ${market.counter} from 0 that buys less than 2^53 lots of ${market.pair} at ${price} ticks`;
    refuseArgument(['market.lotsFor', 'counter'], allowed, counter);
  }
  return lotsOf(Number.parseInt(lots.toString(), 10));
}
