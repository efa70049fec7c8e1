/** Averages of prices, and what is made of them. */
import { refuseArgument } from '../argument.ts';
import { checkPeriod, type Indicator, indicatorOf, lastOf, sumOf } from './indicator.ts';

/** Returns the simple average of the last `period` numbers. */
export function sma(period: number, history: Iterable<number> = []): Indicator<number, number> {
  checkPeriod(['sma', 'period'], period);
  const last = lastOf<number>(period);
  return indicatorOf({
    ...{ name: 'sma', warmUp: period, history },
    next: (price) => {
      const prices = last(price);
      return prices && sumOf(prices) / period;
    },
  });
}

/**
 * Returns the exponential average: each number counts `2 / (period + 1)`, and the first value is
 * the simple average of `period` numbers. It never forgets all of its beginning.
 */
export function ema(period: number, history: Iterable<number> = []): Indicator<number, number> {
  checkPeriod(['ema', 'period'], period);
  const smooth = smoothed(period, 2 / (period + 1));
  return indicatorOf({ ...{ name: 'ema', warmUp: period, history }, next: smooth });
}

/** The difference of two averages, its own average, and how far it is above that. */
export type Macd = {
  /** The fast average less the slow one. */
  readonly macd: number;
  /** The average of these differences. */
  readonly signal: number;
  /** `macd` less `signal`. */
  readonly histogram: number;
};

/**
 * Returns the moving average convergence/divergence: the exponential average of `fast` numbers less
 * that of `slow`, with the exponential average of `signal` of these differences.
 */
export function macd(
  fast: number,
  slow: number,
  signal: number,
  history: Iterable<number> = [],
): Indicator<number, Macd> {
  checkPeriod(['macd', 'fast'], fast);
  checkPeriod(['macd', 'slow'], slow);
  checkPeriod(['macd', 'signal'], signal);
  if (fast >= slow) refuseArgument(['macd', 'fast'], `less than slow, ${slow}`, fast);
  const [fastAverage, slowAverage, signalAverage] = [ema(fast), ema(slow), ema(signal)];
  let seen = 0;
  return indicatorOf<number, Macd>({
    ...{ name: 'macd', warmUp: slow + signal - 1, history },
    next: (price) => {
      seen++;
      const slowNow = slowAverage.add(price);
      // As in TA-Lib, both averages have their first value with the same price.
      const fastNow = seen > slow - fast ? fastAverage.add(price) : undefined;
      if (fastNow === undefined || slowNow === undefined) return undefined;
      const difference = fastNow - slowNow;
      const average = signalAverage.add(difference);
      if (average === undefined) return undefined;
      return { macd: difference, signal: average, histogram: difference - average };
    },
  });
}

/**
 * Returns the relative strength index after Wilder, from 0 to 100: the share of rises in the
 * changes, both averaged over `period`. It is 50 while nothing has changed at all.
 */
export function rsi(period: number, history: Iterable<number> = []): Indicator<number, number> {
  checkPeriod(['rsi', 'period'], period);
  const [rises, falls] = [smoothed(period, 1 / period), smoothed(period, 1 / period)];
  let before: number | undefined;
  return indicatorOf<number, number>({
    ...{ name: 'rsi', warmUp: period + 1, history },
    next: (price) => {
      const change = before === undefined ? undefined : price - before;
      before = price;
      if (change === undefined) return undefined;
      const rise = rises(Math.max(change, 0));
      const fall = falls(Math.max(-change, 0));
      if (rise === undefined || fall === undefined) return undefined;
      return rise + fall === 0 ? 50 : (100 * rise) / (rise + fall);
    },
  });
}

/** The prices of a candle that the average true range is made of. */
type HighLowClose = { readonly high: number; readonly low: number; readonly close: number };

/**
 * Returns the average true range after Wilder: how far prices go in a candle, counted from the
 * close before it, averaged over `period` candles.
 */
export function atr(
  period: number,
  history: Iterable<HighLowClose> = [],
): Indicator<HighLowClose, number> {
  checkPeriod(['atr', 'period'], period);
  const average = smoothed(period, 1 / period);
  let before: number | undefined;
  return indicatorOf<HighLowClose, number>({
    ...{ name: 'atr', warmUp: period + 1, history, members: ['high', 'low', 'close'] },
    next: ({ high, low, close }) => {
      const closed = before;
      before = close;
      if (closed === undefined) return undefined;
      return average(Math.max(high, closed) - Math.min(low, closed));
    },
  });
}

/** An average to which each number adds `weight`, and which begins with a simple average. */
function smoothed(period: number, weight: number): (value: number) => number | undefined {
  const first = lastOf<number>(period);
  let average: number | undefined;
  return (value) => {
    if (average !== undefined) average += (value - average) * weight;
    else {
      const values = first(value);
      if (values !== undefined) average = sumOf(values) / period;
    }
    return average;
  };
}
