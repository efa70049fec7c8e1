/**
 * Consecutive candles of the time before a run, built from trades or from candles of the same or a
 * shorter interval.
 *
 * Invariants: no candle is missing between the first and the last, and a period that is not known
 * from its start is left out.
 */
import type { Candle } from '../domain/market-view.ts';
import type { Ticks } from '../domain/money.ts';
import { addLots, maxTicks, minTicks } from '../domain/ticks-and-lots.ts';
import { quietCandle } from './candle-stream.ts';

/** Trading from `startMs` on, within one period. For a single trade, all four prices are equal. */
export type Bar = Omit<Candle, 'intervalMs'>;

export class CandleSeries {
  readonly #intervalMs: number;
  /** The start of the first period that is known completely. */
  #fromMs: number;
  #candles: Candle[] = [];
  #price: Ticks | undefined;

  /** {@link add} must receive all trading from `knownFromMs` on, in order of time. */
  constructor(intervalMs: number, knownFromMs: number) {
    this.#intervalMs = intervalMs;
    this.#fromMs = Math.ceil(knownFromMs / intervalMs) * intervalMs;
  }

  /** Starts again, because trading before `knownFromMs` is not known completely. */
  restart(knownFromMs: number): void {
    this.#candles = [];
    this.#price = undefined;
    this.#fromMs = Math.ceil(knownFromMs / this.#intervalMs) * this.#intervalMs;
  }

  add(bar: Bar): void {
    const startMs = Math.floor(bar.startMs / this.#intervalMs) * this.#intervalMs;
    if (startMs >= this.#fromMs) {
      this.#fill(startMs);
      const last = this.#candles.at(-1);
      if (last?.startMs === startMs) this.#candles[this.#candles.length - 1] = merged(last, bar);
      else this.#candles.push({ ...bar, startMs, intervalMs: this.#intervalMs });
    }
    this.#price = bar.close;
  }

  /** Returns the candles that end at or before `endMs`, which must be the start of a period. */
  until(endMs: number): readonly Candle[] {
    this.#fill(endMs);
    return this.#candles.filter(({ startMs }) => startMs < endMs);
  }

  /** Adds candles without volume for the periods before `startMs` without trades. */
  #fill(startMs: number): void {
    if (this.#price === undefined) return;
    const last = this.#candles.at(-1)?.startMs;
    let nextMs = last === undefined ? this.#fromMs : last + this.#intervalMs;
    for (; nextMs < startMs; nextMs += this.#intervalMs)
      this.#candles.push(quietCandle(nextMs, this.#intervalMs, this.#price));
  }
}

function merged(candle: Candle, { high, low, close, volume }: Bar): Candle {
  return {
    ...candle,
    high: maxTicks(candle.high, high),
    low: minTicks(candle.low, low),
    close,
    volume: addLots(candle.volume, volume),
  };
}
