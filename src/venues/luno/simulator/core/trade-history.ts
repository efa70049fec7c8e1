/**
 * The public trade history of a market: its newest trades, and candles of every documented
 * duration.
 *
 * Invariants: both are bounded; at least the newest 100 trades and the newest 1000 candles of each
 * duration are kept. Only candles with trades are stored, and the one in which a market with a past
 * starts. Reading fills the gaps between them with candles that have no volume and the last price,
 * like the candles that strategies see; candles from before the start are computed.
 */

import { candleDurations } from '../../../../domain/candle-durations.ts';
import type { Side } from '../../../../domain/market.ts';
import type { Lots, Ticks } from '../../../../domain/money.ts';
import { addLots, maxTicks, minTicks, noLots } from '../../../../domain/ticks-and-lots.ts';
import { limits } from '../../api/limits.ts';
import { type HistoricCandle, lastPastCandle, type Past, pastCandles } from './past-candles.ts';

export type PublicTrade = {
  readonly sequence: bigint;
  readonly timeMs: number;
  readonly price: Ticks;
  readonly volume: Lots;
  readonly takerSide: Side;
};

type GrowingCandle = { -readonly [Key in keyof HistoricCandle]: HistoricCandle[Key] };

export type TradeHistory = {
  /** Oldest first. */
  readonly trades: PublicTrade[];
  /** By duration in seconds; oldest first, without empty candles. */
  readonly candles: ReadonlyMap<number, GrowingCandle[]>;
  /** What came before the start; undefined in snapshots of earlier versions, too. */
  readonly past?: Past | undefined;
};

/** Returns the history of a new market. With a past, each duration begins in its last candle. */
export function createTradeHistory(past?: Past): TradeHistory {
  const firstOf = (seconds: number): GrowingCandle[] => {
    if (past === undefined) return [];
    const startMs = startOf(past.endMs, seconds);
    return [lastPastCandle(past, startMs) ?? emptyCandle(startMs, past.endPrice)];
  };
  const candles = new Map(candleDurations.map((seconds) => [seconds, firstOf(seconds)]));
  return { trades: [], candles, past };
}

/** Adds a trade of a market. Trades must be in order of time. */
export function addTrade(
  {
    history,
    volumeByMinute,
  }: { readonly history: TradeHistory; readonly volumeByMinute: Map<number, Lots> },
  trade: PublicTrade,
): void {
  countVolume(volumeByMinute, trade);
  history.trades.push(trade);
  bound(history.trades, limits.publicTradesPerCallMax);
  for (const [seconds, candles] of history.candles) {
    const startMs = startOf(trade.timeMs, seconds);
    const last = candles.at(-1);
    if (last?.startMs === startMs) {
      grow(last, trade);
    } else {
      const { price, volume } = trade;
      candles.push({ startMs, open: price, high: price, low: price, close: price, volume });
      bound(candles, limits.candlesPerCallMax);
    }
  }
}

/** Returns the newest trades after `sinceMs`, newest first, none older than the documented age. */
export function newestTrades(
  history: TradeHistory,
  range: { readonly sinceMs: number | undefined; readonly nowMs: number },
): PublicTrade[] {
  const oldestMs = range.nowMs - limits.publicTradesAgeMsMax;
  return history.trades
    .slice(-limits.publicTradesPerCallMax)
    .filter(({ timeMs }) => timeMs >= oldestMs && timeMs > (range.sinceMs ?? -1))
    .reverse();
}

/** Returns the earliest candles that start at or after `sinceMs`, without gaps, oldest first. */
export function earliestCandles(
  history: TradeHistory,
  range: { readonly sinceMs: number; readonly seconds: number; readonly nowMs: number },
): HistoricCandle[] {
  const kept = history.candles.get(range.seconds) ?? [];
  const first = kept[0];
  if (first === undefined) return [];
  const stepMs = range.seconds * 1000;
  const sinceMs = Math.ceil(range.sinceMs / stepMs) * stepMs;
  const found = candlesBefore(history, first, { ...range, sinceMs });
  let startMs = Math.max(first.startMs, sinceMs);
  let index = kept.findIndex((candle) => candle.startMs >= startMs);
  if (index === -1) index = kept.length;
  let close = (kept[index - 1] ?? first).close;
  for (; startMs <= range.nowMs && found.length < limits.candlesPerCallMax; startMs += stepMs) {
    const candle = kept[index]?.startMs === startMs ? kept[index++] : undefined;
    found.push(candle ?? emptyCandle(startMs, close));
    close = candle?.close ?? close;
  }
  return found;
}

/** Returns candles of the past, unless some between it and the first kept one were discarded. */
function candlesBefore(
  { past }: TradeHistory,
  { startMs: untilMs }: HistoricCandle,
  { sinceMs: fromMs, seconds }: { readonly sinceMs: number; readonly seconds: number },
): HistoricCandle[] {
  if (past === undefined || untilMs !== startOf(past.endMs, seconds)) return [];
  return pastCandles(past, { fromMs, untilMs, seconds, countMax: limits.candlesPerCallMax });
}

function countVolume(volumes: Map<number, Lots>, trade: PublicTrade): void {
  const minute = Math.floor(trade.timeMs / 60_000);
  volumes.set(minute, addLots(volumes.get(minute) ?? noLots, trade.volume));
  for (const oldest of volumes.keys()) {
    if (oldest > minute - 1440) break;
    volumes.delete(oldest);
  }
}

function grow(candle: GrowingCandle, { price, volume }: PublicTrade): void {
  candle.high = maxTicks(candle.high, price);
  candle.low = minTicks(candle.low, price);
  candle.close = price;
  candle.volume = addLots(candle.volume, volume);
}

function emptyCandle(startMs: number, price: Ticks): HistoricCandle {
  return { startMs, open: price, high: price, low: price, close: price, volume: noLots };
}

function startOf(timeMs: number, seconds: number): number {
  return Math.floor(timeMs / (seconds * 1000)) * seconds * 1000;
}

/**
 * Keeps at least the newest `countMin` entries. Drops half of the list at once, so that it happens
 * rarely.
 */
function bound(entries: unknown[], countMin: number): void {
  if (entries.length >= 2 * countMin) entries.splice(0, entries.length - countMin);
}
