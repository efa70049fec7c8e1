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
import { Observable } from 'rxjs';
import type { Candle, TradeCollector } from '../domain/market-view.ts';
import type { Lots, Ticks } from '../domain/money.ts';
import { addLots, noLots } from '../domain/ticks-and-lots.ts';
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
export const quietCandlesMax = 1_000;

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

  /** `price` is the price before the first trade. */
  constructor(price: Ticks) {
    this.#open = price;
    this.#high = price;
    this.#low = price;
    this.#close = price;
  }

  /** Adds trades. The first of a period also sets the open price. */
  add(open: Ticks, high: Ticks, low: Ticks, close: Ticks, volume: Lots): void {
    const isFirst = this.#volume === 0;
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
    return candle;
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
  if (!Number.isSafeInteger(intervalMs) || intervalMs < 1) {
    throw new RangeError(`candle interval must be whole milliseconds, was ${intervalMs}`);
  }
  return new Observable((subscriber) => {
    const nowMs = scheduler.now();
    const seen = source.seen() ?? { sinceMs: nowMs, trades: [] };
    let startMs = Math.floor(seen.sinceMs / intervalMs) * intervalMs;
    let isWhole = startMs === seen.sinceMs;
    const { lastPrice } = source;
    // Undefined until a price is known.
    let open = lastPrice === undefined ? undefined : new OpenCandle(lastPrice);

    const close = (): void => {
      const closed = open?.take(startMs, intervalMs);
      startMs += intervalMs;
      if (isWhole && closed !== undefined) subscriber.next(Object.freeze(closed));
      isWhole = true;
    };

    const closeUntil = (dueMs: number): void => {
      for (let i = 0; i < quietCandlesMax && startMs + intervalMs <= dueMs; i++) {
        if (subscriber.closed) return;
        close();
      }
      if (startMs + intervalMs <= dueMs) startMs = Math.floor(dueMs / intervalMs) * intervalMs;
    };
    const add: TradeCollector = (first, high, low, last, volume) => {
      open ??= new OpenCandle(first);
      open.add(first, high, low, last, volume);
    };

    for (const trade of seen.trades) {
      closeUntil(trade.atMs);
      const { price, volume } = trade;
      add(price, price, price, price, volume);
    }
    closeUntil(nowMs);
    subscriber.add(
      scheduler.schedule<undefined>(
        function (this) {
          const dueMs = scheduler.now();
          closeUntil(dueMs);
          if (!subscriber.closed) this.schedule(undefined, startMs + intervalMs - dueMs);
        },
        startMs + intervalMs - nowMs,
      ),
    );
    subscriber.add(trades.collect(add));
  });
}
