/** Candles of the mid, from the samples of the history: an overview of a long time. */
import type { TimeRange } from '../chart/time-range.ts';
import type { Candle } from '../components/candle.ts';
import type { Columns } from './live-columns.ts';

const minuteMs = 60_000;
const lengths = [1, 5, 15, 30, 60, 240, 1_440].map((minutes) => minutes * minuteMs);
const candlesWanted = 150;

/** Returns the length of candles of which about {@link candlesWanted} fill the range. */
export function candleLengthOf({ fromMs, toMs }: TimeRange): number {
  return lengths.find((length) => length * candlesWanted >= toMs - fromMs) ?? 1_440 * minuteMs;
}

/** A stretch without a sample has no candle. */
export function midCandles({ timesMs, bid, ask }: Columns, lengthMs: number): Candle[] {
  const candles: Candle[] = [];
  timesMs.forEach((atMs, index) => {
    const [low, high] = [bid[index] ?? null, ask[index] ?? null];
    if (low === null || high === null) return;
    const mid = (low + high) / 2;
    const startMs = Math.floor(atMs / lengthMs) * lengthMs;
    const last = candles.at(-1);
    if (last?.startMs !== startMs)
      candles.push({ startMs, open: mid, high: mid, low: mid, close: mid });
    else
      candles[candles.length - 1] = {
        ...last,
        high: Math.max(last.high, mid),
        low: Math.min(last.low, mid),
        close: mid,
      };
  });
  return candles;
}
