/** Where a price is in the range of the last ones. */
import { refuseArgument } from '../argument.ts';
import { checkPeriod, type Indicator, indicatorOf, lastOf, sumOf } from './indicator.ts';

/** Two prices, and one between them. */
export type Bands = {
  /** The lower price. */
  readonly lower: number;
  /** The average; of a channel, the middle between the two others. */
  readonly middle: number;
  /** The upper price. */
  readonly upper: number;
};

/**
 * Returns Bollinger's bands: the simple average of the last `period` numbers, and `deviations`
 * standard deviations (of the population) below and above it.
 */
export function bollinger(
  period: number,
  deviations: number,
  history: Iterable<number> = [],
): Indicator<number, Bands> {
  checkPeriod(['bollinger', 'period'], period, 2);
  if (!Number.isFinite(deviations) || deviations <= 0)
    refuseArgument(['bollinger', 'deviations'], 'a finite number above 0', deviations);
  const last = lastOf<number>(period);
  return indicatorOf<number, Bands>({
    ...{ name: 'bollinger', warmUp: period, history },
    next: (price) => {
      const prices = last(price);
      if (prices === undefined) return undefined;
      const { mean: middle, deviation } = spreadOf(prices);
      const width = deviations * deviation;
      return { lower: middle - width, middle, upper: middle + width };
    },
  });
}

/**
 * Returns how many standard deviations (of the population) the last number is above the average of
 * the last `period`; 0 if all are equal.
 */
export function zScore(period: number, history: Iterable<number> = []): Indicator<number, number> {
  checkPeriod(['zScore', 'period'], period, 2);
  const last = lastOf<number>(period);
  return indicatorOf<number, number>({
    ...{ name: 'zScore', warmUp: period, history },
    next: (price) => {
      const prices = last(price);
      if (prices === undefined) return undefined;
      const { mean, deviation } = spreadOf(prices);
      return deviation === 0 ? 0 : (price - mean) / deviation;
    },
  });
}

function spreadOf(values: readonly number[]): {
  readonly mean: number;
  readonly deviation: number;
} {
  const mean = sumOf(values) / values.length;
  // In two passes, because the difference of two large sums loses digits.
  const squares = sumOf(values.map((value) => (value - mean) ** 2));
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

type HighLow = { readonly high: number; readonly low: number };

/** Returns Donchian's channel: the highest high, the lowest low of `period` candles, the middle. */
export function donchian(
  period: number,
  history: Iterable<HighLow> = [],
): Indicator<HighLow, Bands> {
  checkPeriod(['donchian', 'period'], period);
  const last = lastOf<HighLow>(period);
  return indicatorOf<HighLow, Bands>({
    ...{ name: 'donchian', warmUp: period, history, members: ['high', 'low'] },
    next: (candle) => {
      const candles = last(candle);
      if (candles === undefined) return undefined;
      const lower = candles.reduce((least, { low }) => Math.min(least, low), Infinity);
      const upper = candles.reduce((most, { high }) => Math.max(most, high), -Infinity);
      return { lower, middle: (lower + upper) / 2, upper };
    },
  });
}

/**
 * Returns the realised volatility: the root of the mean square of the last `period` logarithmic
 * returns, for one step from a price to the next. Times the root of the steps of a year it is
 * that of a year.
 */
export function realisedVolatility(
  period: number,
  history: Iterable<number> = [],
): Indicator<number, number> {
  checkPeriod(['realisedVolatility', 'period'], period);
  const last = lastOf<number>(period);
  let before: number | undefined;
  return indicatorOf<number, number>({
    ...{ name: 'realisedVolatility', warmUp: period + 1, history },
    next: (price) => {
      if (price <= 0) refuseArgument(['realisedVolatility', 'input'], 'a price above 0', price);
      const squares = before === undefined ? undefined : last(Math.log(price / before) ** 2);
      before = price;
      return squares && Math.sqrt(sumOf(squares) / period);
    },
  });
}
