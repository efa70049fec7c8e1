/** One pair as a strategy sees it: the engine's live views, the streams, and exact conversions. */
import type { Market, Side } from '../domain/market.ts';
import { formatTicks } from '../domain/market.ts';
import type { Candle, Top } from '../domain/market-view.ts';
import { Decimal, decimalOf, type Lots, parseScaled, type Ticks } from '../domain/money.ts';
import { isFinal } from '../domain/order.ts';
import { lotsOf, ticksOf } from '../domain/ticks-and-lots.ts';
import {
  checkChoice,
  checkDecimalText,
  checkWhole,
  decimalArgument,
  refuseArgument,
} from './argument.ts';
import { candles, type SeenTrades } from './candle-stream.ts';
import type { MarketContext } from './contract.ts';
import { ExactAmounts } from './exact-amounts.ts';
import { isPlainObject } from './json-value.ts';
import { type BookPrices, createMarketBook, micropriceOf, midOf } from './market/market-book.ts';
import type { MarketStreams } from './market-streams.ts';
import type { StrategyOutputs } from './outputs/strategy-outputs.ts';
import type { OwnOrder, Position } from './own-views.ts';
import { type Bound, restOf, roomFor, type SideAmounts, useOf } from './room.ts';
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
  /** Undefined while the book is unusable. */
  book(): BookPrices | undefined;
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
  /** What bounds new orders of a side, without pending orders. */
  bounds(side: Side): readonly Bound[];
  /** The candles that the strategy's `warmUp` requests, oldest first. */
  readonly history: readonly Candle[];
};

/** The strategy's orders and position on the pair, including pending orders. */
export type OwnViews = Pick<MarketAccess, 'orders' | 'position'>;

/** What the orders of the current event would use, over all pairs of the strategy. */
export type PendingUse = (side: Side, market: Market) => SideAmounts;

type Parts = {
  readonly access: MarketAccess;
  readonly own: OwnViews;
  readonly pendingUse: PendingUse;
  readonly streams: MarketStreams;
  readonly scheduler: VirtualScheduler;
  /** The trades from the time that the strategy waited to start; undefined after that event. */
  readonly seen: () => SeenTrades | undefined;
  readonly outputs: Pick<StrategyOutputs, 'plot'>;
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
    get mid(): number | undefined {
      return midOf(this.#access.top());
    },
    get microprice(): number | undefined {
      return micropriceOf(this.#access.top());
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
  readonly nearestTick: MarketContext['nearestTick'];
  readonly nearestLot: MarketContext['nearestLot'];
  readonly round: MarketContext['round'];
  readonly lotsFor: MarketContext['lotsFor'];
  readonly room: MarketContext['room'];
  readonly valueOf: MarketContext['valueOf'];
  readonly amountOf: MarketContext['amountOf'];
  readonly priceOf: MarketContext['priceOf'];
  readonly priceText: MarketContext['priceText'];
  readonly plot: MarketContext['plot'];
  declare readonly top: Top | undefined;
  declare readonly mid: number | undefined;
  declare readonly microprice: number | undefined;
  declare readonly position: Position;
  declare readonly holding: Decimal;
  declare readonly isDust: boolean;
  declare readonly orders: readonly OwnOrder[];
  readonly #access: MarketAccess;
  readonly #own: OwnViews;

  constructor({ access, own, pendingUse, streams, scheduler, seen, outputs }: Parts) {
    const { market, fees, history } = access;
    const prices = new ExactAmounts(market.priceScale);
    const volumes = new ExactAmounts(market.volumeScale);
    const values = new ExactAmounts(market.priceScale + market.volumeScale);
    this.#access = access;
    this.#own = own;
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
    this.order$ = streams.order$;
    this.fill$ = streams.fill$;
    this.refusal$ = streams.refusal$;
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
    this.room = (side, price, size, others = {}) => {
      checkChoice(['market.room', 'side'], side, 'BID', 'ASK');
      checkWhole(['market.room', 'price'], price, 'ticks');
      checkWhole(['market.room', 'size'], size, 'lots');
      if (!isPlainObject(others))
        refuseArgument(['market.room', 'others'], 'an object with replaced or beside', others);
      const { replaced = [], beside = [] } = others;
      checkReplaced(side, replaced);
      checkBeside(beside);
      const freed = useOf(replaced.map(restOf), market);
      const used = [pendingUse(side, market), useOf(beside, market)];
      return roomFor({ side, price, size, freed, used }, market, access.bounds(side));
    };
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
    Object.defineProperties(this, PairContext.#views);
  }

  /** The getters of `views`, which are called on a context. */
  static #viewsOf(views: object & ThisType<PairContext>): PropertyDescriptorMap {
    return Object.getOwnPropertyDescriptors(views) as PropertyDescriptorMap;
  }
}

/** Checks that the orders whose place another one takes are open, and of its side. */
function checkReplaced(side: Side, replaced: readonly OwnOrder[]): void {
  const argument = ['market.room', 'replaced'] as const;
  if (!Array.isArray(replaced)) refuseArgument(argument, 'a list of own orders', replaced);
  for (const { terms, state } of replaced)
    if (terms?.side !== side || isFinal(state))
      refuseArgument(argument, `open orders of the side ${side}`, { side: terms?.side, state });
}

/** Checks the orders that are placed together with another one. */
function checkBeside(beside: NonNullable<Parameters<MarketContext['room']>[3]>['beside']): void {
  const argument = ['market.room', 'beside'] as const;
  if (!Array.isArray(beside)) refuseArgument(argument, 'a list of prices and volumes', beside);
  for (const one of beside) {
    checkWhole(argument, one?.price, 'ticks');
    checkWhole(argument, one?.volume, 'lots');
  }
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
