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
import type { Candle, Trade } from '../domain/market-view.ts';
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

/** Returns the candle with `trade` added. The first trade of a period also sets the open price. */
export function applyTrade(candle: Candle, trade: Pick<Trade, 'price' | 'volume'>): Candle {
  const isFirst = candle.volume === 0;
  return {
    startMs: candle.startMs,
    intervalMs: candle.intervalMs,
    open: isFirst ? trade.price : candle.open,
    high: isFirst || trade.price > candle.high ? trade.price : candle.high,
    low: isFirst || trade.price < candle.low ? trade.price : candle.low,
    close: trade.price,
    volume: addLots(candle.volume, trade.volume),
  };
}

/**
 * Returns the candles of `intervalMs` from subscription on. Throws RangeError for an invalid
 * interval.
 */
export function candles(source: {
  readonly trade$: Observable<Trade>;
  readonly intervalMs: number;
  readonly scheduler: VirtualScheduler;
  /** The price before the first trade, if known. */
  readonly lastPrice: Ticks | undefined;
  /** The pair's trades before the subscription, for the first candle; undefined if unknown. */
  readonly seen: () => SeenTrades | undefined;
}): Observable<Candle> {
  const { trade$, intervalMs, scheduler } = source;
  if (!Number.isSafeInteger(intervalMs) || intervalMs < 1) {
    throw new RangeError(`candle interval must be whole milliseconds, was ${intervalMs}`);
  }
  return new Observable((subscriber) => {
    const nowMs = scheduler.now();
    const seen = source.seen() ?? { sinceMs: nowMs, trades: [] };
    let startMs = Math.floor(seen.sinceMs / intervalMs) * intervalMs;
    let isWhole = startMs === seen.sinceMs;
    let price = source.lastPrice;
    let open: Candle | undefined;

    const close = (): void => {
      const closed =
        open ?? (price === undefined ? undefined : quietCandle(startMs, intervalMs, price));
      open = undefined;
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
    const addTrade = (trade: Pick<Trade, 'price' | 'volume'>): void => {
      price = trade.price;
      open = applyTrade(open ?? quietCandle(startMs, intervalMs, trade.price), trade);
    };

    for (const trade of seen.trades) {
      closeUntil(trade.atMs);
      addTrade(trade);
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
    subscriber.add(
      trade$.subscribe({
        next: addTrade,
        error: (error: unknown) => subscriber.error(error),
        complete: () => subscriber.complete(),
      }),
    );
  });
}
