/**
 * Candles of one pair, built from its trades and closed by the engine's clock.
 *
 *     trades    ─a──b───────c──────
 *     periods   |     |     |     |
 *     candles   ······A·····q·····C
 *
 * A contains a and b; q is a quiet candle: no volume, at the last price.
 *
 * A trade belongs to the period in which the engine received it, so that an emitted candle never
 * changes and a replay emits the same candles.
 *
 * Invariants: candles are consecutive, except that after a long pause (a sleeping machine) missed
 * periods beyond {@link quietCandlesMax} are left out; a period that was not observed from its
 * start is not emitted.
 */
import { Observable, type Subscriber } from 'rxjs';
import type { Candle, TradeCollector } from '../domain/market-view.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { addLots, noLots } from '../domain/ticks-and-lots.ts';
import { refuseArgument } from './argument.ts';
import type { VirtualScheduler } from './virtual-scheduler.ts';

/** A trade before the subscription. */
export type SeenTrade = {
  readonly pair: string;
  /** When the engine received it. */
  readonly atMs: number;
  readonly price: Ticks;
  readonly volume: Lots;
};

/** All trades from `sinceMs` to the start of the strategy. */
export type SeenTrades = { readonly sinceMs: number; readonly trades: readonly SeenTrade[] };

/** Where candles get their trades. */
export type CollectedTrades = {
  /** Calls `add` with all trades; the returned function ends that. */
  collect(add: TradeCollector): () => void;
};

/** The most quiet candles emitted at once. */
const quietCandlesMax = 1_000;

/** Returns the candle of a period without trades. */
export function quietCandle(startMs: number, intervalMs: number, price: Ticks): Candle {
  return {
    startMs,
    intervalMs,
    open: price,
    high: price,
    low: price,
    close: price,
    volume: noLots,
  };
}

/** The trades of a period so far. */
class OpenCandle {
  #open: Ticks;
  #high: Ticks;
  #low: Ticks;
  #close: Ticks;
  #volume = noLots;
  #isEmpty = true;

  /** `price` is the price before the first trade. */
  constructor(price: Ticks) {
    this.#open = price;
    this.#high = price;
    this.#low = price;
    this.#close = price;
  }

  /** Adds trades, or a bar without volume. The first of a period also sets the open price. */
  add(open: Ticks, high: Ticks, low: Ticks, close: Ticks, volume: Lots): void {
    const isFirst = this.#isEmpty;
    this.#isEmpty = false;
    if (isFirst) this.#open = open;
    if (isFirst || high > this.#high) this.#high = high;
    if (isFirst || low < this.#low) this.#low = low;
    this.#close = close;
    this.#volume = addLots(this.#volume, volume);
  }

  /** Returns the candle and starts the next period, at its last price. */
  take(startMs: number, intervalMs: number): Candle {
    const candle = {
      startMs,
      intervalMs,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: this.#volume,
    };
    this.#open = this.#close;
    this.#high = this.#close;
    this.#low = this.#close;
    this.#volume = noLots;
    this.#isEmpty = true;
    return candle;
  }
}

/** The candles of one subscription. */
class OpenCandles {
  readonly #intervalMs: number;
  readonly #subscriber: Subscriber<Candle>;
  /** The start of the open period. A number from the start, so that V8 stores it in place. */
  #startMs = 0.5;
  /** Whether the open period was observed from its start. */
  #isWhole: boolean;
  /** Undefined until a price is known. */
  #open: OpenCandle | undefined;

  /** All trades from `sinceMs` on must be added; `lastPrice` is the price before, if known. */
  constructor(
    subscriber: Subscriber<Candle>,
    intervalMs: number,
    sinceMs: number,
    lastPrice: Ticks | undefined,
  ) {
    this.#subscriber = subscriber;
    this.#intervalMs = intervalMs;
    this.#startMs = Math.floor(sinceMs / intervalMs) * intervalMs;
    this.#isWhole = this.#startMs === sinceMs;
    this.#open = lastPrice === undefined ? undefined : new OpenCandle(lastPrice);
  }

  /** When the open period ends. */
  get endMs(): number {
    return this.#startMs + this.#intervalMs;
  }

  readonly add: TradeCollector = (open, high, low, close, volume) => {
    this.#open ??= new OpenCandle(open);
    this.#open.add(open, high, low, close, volume);
  };

  /** Emits the candles of the periods that end at or before `dueMs`. */
  closeUntil(dueMs: number): void {
    for (let i = 0; i < quietCandlesMax && this.endMs <= dueMs; i++) {
      if (this.#subscriber.closed) return;
      this.#close();
    }
    if (this.endMs <= dueMs)
      this.#startMs = Math.floor(dueMs / this.#intervalMs) * this.#intervalMs;
  }

  #close(): void {
    const closed = this.#open?.take(this.#startMs, this.#intervalMs);
    const isWhole = this.#isWhole;
    this.#startMs += this.#intervalMs;
    this.#isWhole = true;
    if (isWhole && closed !== undefined) this.#subscriber.next(Object.freeze(closed));
  }
}

/**
 * Returns the candles of `intervalMs` from subscription on. Throws RangeError for an invalid
 * interval.
 */
export function candles(source: {
  readonly trades: CollectedTrades;
  readonly intervalMs: number;
  readonly scheduler: VirtualScheduler;
  /** The price before the first trade, if known. */
  readonly lastPrice: Ticks | undefined;
  /** The pair's trades before the subscription, for the first candle; undefined if unknown. */
  readonly seen: () => SeenTrades | undefined;
}): Observable<Candle> {
  const { trades, intervalMs, scheduler } = source;
  if (!Number.isSafeInteger(intervalMs) || intervalMs < 1)
    refuseArgument(['market.candle$', 'intervalMs'], 'whole milliseconds, at least 1', intervalMs);
  return new Observable((subscriber) => {
    const nowMs = scheduler.now();
    const seen = source.seen() ?? { sinceMs: nowMs, trades: [] };
    const open = new OpenCandles(subscriber, intervalMs, seen.sinceMs, source.lastPrice);
    for (const { atMs, price, volume } of seen.trades) {
      open.closeUntil(atMs);
      open.add(price, price, price, price, volume);
    }
    open.closeUntil(nowMs);
    subscriber.add(
      scheduler.schedule<undefined>(function (this) {
        const dueMs = scheduler.now();
        open.closeUntil(dueMs);
        if (!subscriber.closed) this.schedule(undefined, open.endMs - dueMs);
      }, open.endMs - nowMs),
    );
    subscriber.add(trades.collect(open.add));
  });
}
