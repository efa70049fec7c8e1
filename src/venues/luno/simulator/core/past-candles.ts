/**
 * Candles from before the start of a simulated market, so that strategies have a history to begin
 * with.
 *
 * They are computed when somebody asks: the price of each minute follows from the seed and from its
 * distance to the start. Borders between blocks of minutes are a Brownian bridge (the midpoint of
 * two borders is their average and a random part); within a block, prices lie around the line
 * between its borders as those of the participants lie around their start price.
 *
 * Invariants: the same seed gives the same candles; candles of every duration agree; the last price
 * is the one at which the market starts.
 */
import type { Lots, Ticks } from '../../../../domain/money.ts';
import { lotsOf, ticksOf } from '../../../../domain/ticks-and-lots.ts';
import { createSeededRandom } from '../../../../runtime/seeded-random.ts';

export type HistoricCandle = {
  readonly startMs: number;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
};

/** Random movement of a price. */
type Wave = {
  readonly seed: string;
  /** Standard deviation around the slow movement, as a fraction of the price. */
  readonly size: number;
};

/** What the past of a market is computed from. */
export type Past = {
  /** The end of the last candle, a whole minute. */
  readonly endMs: number;
  readonly endPrice: Ticks;
  /** The market's own movement. */
  readonly own: Wave;
  /** The movements of the markets that it follows. */
  readonly followed: readonly Wave[];
  /** Average volume of a minute. */
  readonly minuteVolume: Lots;
};

const minuteMs = 60_000;
/** A year of daily candles. */
const pastMinutes = 400 * 1440;
const blockMinutes = 120;
/** Borders this many blocks apart, 11 days, do not depend on each other. */
const blocksApart = 128;

/**
 * Returns the candles that start at or after `fromMs` and end at or before `untilMs`, oldest first,
 * but only the first `countMax`. `fromMs` is the start of a period.
 */
export function pastCandles(
  past: Past,
  range: {
    readonly fromMs: number;
    readonly untilMs: number;
    readonly seconds: number;
    readonly countMax: number;
  },
): HistoricCandle[] {
  const stepMs = range.seconds * 1000;
  const firstMs = Math.ceil((past.endMs - pastMinutes * minuteMs) / stepMs) * stepMs;
  const candleOf = candlesOf(past);
  const found: HistoricCandle[] = [];
  let startMs = Math.max(firstMs, range.fromMs);
  for (; startMs + stepMs <= range.untilMs && found.length < range.countMax; startMs += stepMs)
    found.push(candleOf(startMs, startMs + stepMs));
  return found;
}

/** Returns the candle of `startMs` until the end of the past, undefined if that is no minute. */
export function lastPastCandle(past: Past, startMs: number): HistoricCandle | undefined {
  return startMs < past.endMs ? candlesOf(past)(startMs, past.endMs) : undefined;
}

/** Returns a function that puts the minutes from one time to another together. */
function candlesOf({
  endMs,
  endPrice,
  own,
  followed,
  minuteVolume,
}: Past): (fromMs: number, toMs: number) => HistoricCandle {
  const draws = drawsOf(`${own.seed}/past/minute`, 3);
  const waves = [own, ...followed].map(waveOf);
  const priceAt = (age: number): number => {
    let price: number = endPrice;
    for (const wave of waves) price *= 1 + wave(age);
    return price;
  };
  return (fromMs, toMs) => {
    const oldest = (endMs - fromMs) / minuteMs;
    const open = priceAt(oldest);
    let [high, low, close, volume] = [open, open, open, 0];
    for (let age = oldest; age > (endMs - toMs) / minuteMs; age--) {
      const before = close;
      close = priceAt(age - 1);
      high = Math.max(high, Math.max(before, close) * (1 + own.size * draws(age, 0)));
      low = Math.min(low, Math.min(before, close) * (1 - own.size * draws(age, 1)));
      volume += Math.max(1, Math.round(minuteVolume * (0.5 + draws(age, 2))));
    }
    return {
      startMs: fromMs,
      open: ticksOf(Math.round(open)),
      high: ticksOf(Math.round(high)),
      low: ticksOf(Math.round(low)),
      close: ticksOf(Math.round(close)),
      volume: lotsOf(volume),
    };
  };
}

/**
 * Returns the deviation from the last price, as a fraction, `age` minutes before the end. It is
 * less than 41 times the size of the wave.
 */
function waveOf({ seed, size }: Wave): (age: number) => number {
  const draws = drawsOf(`${seed}/past/price`, 1);
  const borders = new Map<number, number>([[0, 0]]);
  const borderAt = (index: number): number => {
    const known = borders.get(index);
    if (known !== undefined) return known;
    const step = Math.min(index & -index, blocksApart);
    const part = createSeededRandom(`${seed}/past/border/${index}`).next() * 2 - 1;
    const own = size * Math.sqrt(step) * part;
    const value =
      step === blocksApart ? own : (borderAt(index - step) + borderAt(index + step)) / 2 + own;
    borders.set(index, value);
    return value;
  };
  return (age) => {
    if (age === 0) return 0;
    const block = Math.floor(age / blockMinutes);
    const share = (age % blockMinutes) / blockMinutes;
    const slow = borderAt(block) * (1 - share) + borderAt(block + 1) * share;
    // The factor gives an even distribution the standard deviation `size`.
    return slow + size * 1.73 * (draws(age, 0) * 2 - 1);
  };
}

/**
 * Returns a function that reads the random numbers of a minute, from 0 to below 1: `at` counts from
 * 0 to below `perMinute`. It keeps those of the last block.
 */
function drawsOf(seed: string, perMinute: number): (age: number, at: number) => number {
  const kept = new Float64Array(blockMinutes * perMinute);
  let block = -1;
  return (age, at) => {
    const index = Math.floor(age / blockMinutes);
    if (index !== block) {
      block = index;
      const random = createSeededRandom(`${seed}/${index}`);
      for (let draw = 0; draw < kept.length; draw++) kept[draw] = random.next();
    }
    return kept[(age % blockMinutes) * perMinute + at] as number;
  };
}
