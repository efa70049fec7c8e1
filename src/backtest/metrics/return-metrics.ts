/**
 * Returns of a market, scaled to a year; what holding would have gained; and the position in value
 * and time.
 */
import { type Amount, amountScale, formatAmount, powerOfTen } from '../../domain/amount.ts';
import type { Market } from '../../domain/market.ts';
import { decimalOf } from '../../domain/money.ts';
import { ratioOf, rounded, shareOf } from './ratios.ts';
import type { RunRecorder } from './run-recorder.ts';

const dayMicros = 86_400_000_000;
const yearMicros = 365 * dayMicros;

export type ReturnMetrics = {
  /** The account's value at the first mid of each market. */
  readonly startValue: string | null;
  /** How the figures below are scaled. */
  readonly annualization: string;
  /** Profit as a share of the start value, times the years of the run; null below a day. */
  readonly profitSharePerYear: number | null;
  readonly sharpePerYear: number | null;
  readonly sortinoPerYear: number | null;
};

/** Why {@link ReturnMetrics} are what they are. */
const annualization =
  'a year has 365 days; profit is scaled by the time from start to end, not compounded; ' +
  'Sharpe and Sortino by the root of the recorded minutes in a year; not for less than a day';

/** Returns the figures; `worth` is the account's value at the start. */
export function returnMetricsOf(
  { span, minutes }: RunRecorder,
  {
    profit,
    worth,
    ...perMinute
  }: {
    readonly profit: Amount;
    readonly worth: Amount | undefined;
    readonly sharpe: number | null;
    readonly sortino: number | null;
  },
): ReturnMetrics {
  const micros = span.toMicros - span.fromMicros;
  const runsPerYear = micros < dayMicros ? null : yearMicros / micros;
  const perYear = (ratio: number | null): number | null =>
    ratio === null || runsPerYear === null
      ? null
      : rounded(ratio * Math.sqrt(minutes.count * runsPerYear));
  return {
    startValue: worth === undefined ? null : formatAmount(worth),
    annualization,
    profitSharePerYear: worth && runsPerYear ? rounded(ratioOf(profit, worth) * runsPerYear) : null,
    sharpePerYear: perYear(perMinute.sharpe),
    sortinoPerYear: perYear(perMinute.sortino),
  };
}

export type HoldingMetrics = {
  /** From the first mid to the last one, as a share. */
  readonly priceChange: number;
  /** What the base currency of the start gained without any trade. */
  readonly startBaseGain: string;
  /** What the market's base currency would have gained, bought for the whole start value. */
  readonly allBaseGain: string | null;
  /** Profit and the gain of the base currency of the start: the change of the account's value. */
  readonly accountGain: string;
};

/** Returns null for a market that never had a mid. */
export function holdingMetricsOf(
  recorder: RunRecorder,
  { profit, worth }: { readonly profit: Amount; readonly worth: Amount | undefined },
): HoldingMetrics | null {
  const { firstMid2: first, lastMid2: last, startBase } = recorder;
  if (first === undefined || last === undefined) return null;
  const startBaseGain = recorder.worthOf(startBase, last) - recorder.worthOf(startBase, first);
  return {
    priceChange: rounded((last - first) / first),
    startBaseGain: formatAmount(startBaseGain),
    // A quotient has no last digit.
    allBaseGain:
      worth === undefined
        ? null
        : decimalOf(formatAmount((worth * BigInt(last - first)) / BigInt(first)))
            .toDecimalPlaces(8)
            .toFixed(),
    accountGain: formatAmount(profit + startBaseGain),
  };
}

export type PositionMetrics = {
  /** Shares of the recorded time with a position above and below that of the start. */
  readonly longShare: number;
  readonly shortShare: number;
  /** The absolute position at each mid, over the recorded time. */
  readonly valueMean: string;
  /** The long and the short position that was worth most. */
  readonly longValueMax: string;
  readonly shortValueMax: string;
  /** The position at the last mid. */
  readonly valueAtEnd: string | null;
};

export function positionMetricsOf(recorder: RunRecorder, market: Market): PositionMetrics {
  const { inventory, watchedMicros, lastMid2, position } = recorder;
  const { longest, shortest, longMicros, shortMicros, worthTimesMicros } = inventory;
  const worthOf = (one: typeof longest): string =>
    one === undefined ? '0' : formatAmount(recorder.worthOf(one.base, one.mid2));
  const decimals = Math.min(amountScale, market.priceScale + 2);
  // Units of 10^-18 times twice the mid in ticks.
  const mean = watchedMicros === 0 ? 0 : worthTimesMicros / watchedMicros / 2;
  const units = Math.round(mean / 10 ** (amountScale + market.priceScale - decimals));
  return {
    longShare: shareOf(longMicros, watchedMicros) ?? 0,
    shortShare: shareOf(shortMicros, watchedMicros) ?? 0,
    valueMean: formatAmount(BigInt(units) * powerOfTen(amountScale - decimals)),
    longValueMax: worthOf(longest),
    shortValueMax: worthOf(shortest),
    valueAtEnd: lastMid2 === undefined ? null : formatAmount(recorder.worthOf(position, lastMid2)),
  };
}
