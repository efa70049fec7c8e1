/**
 * Candles of one interval, made from trades and closed by time, also when there is no trade. Times
 * are the exchange's, in milliseconds.
 *
 * Invariants: candles follow each other without a hole, except after a silence of more than
 * `quietCandlesMax`; a quiet candle has the last price four times and no volume; there is no candle
 * before the first trade.
 */
import type { Candle } from '../domain/market-view.ts';
import type { Lots, Ticks } from '../domain/money.ts';

export type MarketCandle = Candle & {
  /** Sum of price times volume, in ticks × lots. */
  readonly value: bigint;
  readonly trades: number;
  /** False if trades may be missing: it began mid-way, or the stream was interrupted. */
  readonly isComplete: boolean;
};

type OpenCandle = { -readonly [Key in keyof MarketCandle]: MarketCandle[Key] };

export class CandleSeries {
  readonly intervalMs: number;
  readonly #quietCandlesMax: number;
  #open: OpenCandle | undefined;
  #isInterrupted = false;

  constructor(intervalMs: number, quietCandlesMax = 1_000) {
    this.intervalMs = intervalMs;
    this.#quietCandlesMax = quietCandlesMax;
  }

  /** Adds a trade and returns the candles that its time closed. Times do not go back. */
  add(price: Ticks, volume: Lots, timeMs: number): readonly MarketCandle[] {
    const closed = this.advance(timeMs);
    // The first candle begins mid-way: nobody knows what was traded before.
    this.#open ??= { ...this.#emptyCandle(this.#startOf(timeMs), price), isComplete: false };
    const candle = this.#open;
    if (candle.trades === 0) candle.open = candle.high = candle.low = price;
    candle.high = Math.max(candle.high, price) as Ticks;
    candle.low = Math.min(candle.low, price) as Ticks;
    candle.close = price;
    candle.volume = (candle.volume + volume) as Lots;
    candle.value += BigInt(price) * BigInt(volume);
    candle.trades++;
    return closed;
  }

  /** Returns the candles that ended at or before `timeMs`, oldest first, each frozen. */
  advance(timeMs: number): readonly MarketCandle[] {
    const closed: MarketCandle[] = [];
    while (this.#open !== undefined && this.#open.startMs + this.intervalMs <= timeMs) {
      const candle = this.#open;
      closed.push(Object.freeze({ ...candle }));
      const start = this.#startOf(timeMs);
      const endMs = candle.startMs + this.intervalMs;
      const quiet = (start - endMs) / this.intervalMs;
      const isSilence = closed.length === 1 && quiet > this.#quietCandlesMax;
      this.#open = this.#emptyCandle(isSilence ? start : endMs, candle.close);
    }
    return closed;
  }

  /**
   * Says that trades may be missed from now on: candles are not complete until one begins after
   * resume.
   */
  interrupt(): void {
    this.#isInterrupted = true;
    if (this.#open) this.#open.isComplete = false;
  }

  resume(): void {
    this.#isInterrupted = false;
  }

  #emptyCandle(startMs: number, price: Ticks): OpenCandle {
    return {
      startMs,
      intervalMs: this.intervalMs,
      open: price,
      high: price,
      low: price,
      close: price,
      volume: 0 as Lots,
      value: 0n,
      trades: 0,
      isComplete: !this.#isInterrupted,
    };
  }

  #startOf(timeMs: number): number {
    return Math.floor(timeMs / this.intervalMs) * this.intervalMs;
  }
}
