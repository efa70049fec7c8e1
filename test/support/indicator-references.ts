/**
 * How far each indicator is from a reference: TA-Lib's values where it has the indicator, and
 * otherwise the definition, computed in another way. Prices are around 1,000,000.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  atr,
  bollinger,
  donchian,
  ema,
  type Indicator,
  macd,
  orderFlowImbalance,
  realisedVolatility,
  rsi,
  sma,
  tradeIntensity,
  vwap,
  zScore,
} from '../../src/index.ts';
import { packageRoot } from './package-root.ts';

export type ReferenceComparison = {
  readonly name: string;
  readonly reference: string;
  /** How many values were compared. */
  readonly compared: number;
  readonly maxDifference: number;
  /** How many inputs had a value in one of both only. */
  readonly onlyOne: number;
};

type Series = readonly (number | null | undefined)[];
type Prices = { readonly open: number; high: number; low: number; close: number; volume: number };

const file = join(packageRoot, 'test/fixtures/indicators/ta-lib.json');

/** Compares them all; `change` alters the values of an indicator, to show that this is found. */
export function compareIndicators(
  change: (name: string, values: Series) => Series = (_, values) => values,
): readonly ReferenceComparison[] {
  const { candles: rows, ...taLib } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly candles: readonly (readonly number[])[];
    readonly [name: string]: Series | readonly (readonly number[])[];
  };
  const candles = rows.map(
    ([open, high, low, close, volume]) => ({ open, high, low, close, volume }) as Prices,
  );
  const closes = candles.map(({ close }) => close);
  const bands = valuesOf(bollinger(20, 2), closes);
  const channel = valuesOf(donchian(20), candles);
  const averages = valuesOf(macd(12, 26, 9), closes);
  const found: Readonly<Record<string, Series>> = {
    sma: valuesOf(sma(20), closes),
    ema: valuesOf(ema(20), closes),
    rsi: valuesOf(rsi(14), closes),
    atr: valuesOf(atr(14), candles),
    macd: averages.map((one) => one?.macd),
    signal: averages.map((one) => one?.signal),
    histogram: averages.map((one) => one?.histogram),
    upper: bands.map((one) => one?.upper),
    middle: bands.map((one) => one?.middle),
    lower: bands.map((one) => one?.lower),
    zScore: valuesOf(zScore(20), closes),
    highest: channel.map((one) => one?.upper),
    lowest: channel.map((one) => one?.lower),
  };
  return [
    ...Object.entries(found).map(([name, values]) =>
      comparison(name, 'TA-Lib 0.8.1', change(name, values), taLib[name] as Series),
    ),
    ...definitions(candles).map(([name, values, expected]) =>
      comparison(name, 'its definition', change(name, values), expected),
    ),
  ];
}

function valuesOf<In, Out>(indicator: Indicator<In, Out>, inputs: readonly In[]) {
  return inputs.map((input) => indicator.add(input));
}

/** Returns indicators that TA-Lib has not, with their values by other ways to compute them. */
function definitions(candles: readonly Prices[]): readonly (readonly [string, Series, Series])[] {
  const closes = candles.map(({ close }) => close);
  const period = 10;
  const from = (index: number) => Math.max(0, index - period + 1);
  const prices = candles.map(({ close, volume }) => ({ price: close, volume }));
  const logs = closes.map((close) => Math.log(close));
  const times = closes.map((close, index) => ({ timeMs: index * 60_000 + (close % 50_000) }));
  const tops = candles.map(({ low, high, volume, open }) => ({
    ...{ bid: low, ask: high, bidVolume: volume, askVolume: open % 10_000 },
  }));
  // A running sum, where the indicator sums its window anew.
  const flows = runningFlows(tops);
  return [
    [
      'vwap',
      valuesOf(vwap(period), prices),
      prices.map((_, index) => {
        const last = prices.slice(from(index), index + 1);
        const volume = last.reduceRight((sum, one) => sum + one.volume, 0);
        return last.length < period
          ? null
          : last.reduceRight((sum, one) => sum + (one.price * one.volume) / volume, 0);
      }),
    ],
    [
      'realisedVolatility',
      valuesOf(realisedVolatility(period), closes),
      logs.map((_, index) =>
        index < period
          ? null
          : Math.hypot(
              ...logs
                .slice(index - period + 1, index + 1)
                .map((log, at) => log - (logs[index - period + at] as number)),
            ) / Math.sqrt(period),
      ),
    ],
    [
      'tradeIntensity',
      valuesOf(tradeIntensity(period), times),
      times.map(({ timeMs }, index) =>
        index < period ? null : (1_000 * period) / (timeMs - (times[index - period]?.timeMs ?? 0)),
      ),
    ],
    [
      'orderFlowImbalance',
      valuesOf(orderFlowImbalance(period), tops as never[]),
      flows.map((sum, index) => (index < period ? null : sum - (flows[index - period] as number))),
    ],
  ];
}

type Best = { readonly bid: number; bidVolume: number; ask: number; askVolume: number };

/** The sums of what came to the bids less what came to the asks, by cases. */
function runningFlows(tops: readonly Best[]): readonly number[] {
  let sum = 0;
  return tops.map((is, index) => {
    const was = tops[index - 1];
    if (was === undefined) return sum;
    if (is.bid === was.bid) sum += is.bidVolume - was.bidVolume;
    else sum += is.bid > was.bid ? is.bidVolume : -was.bidVolume;
    if (is.ask === was.ask) sum -= is.askVolume - was.askVolume;
    else sum -= is.ask < was.ask ? is.askVolume : -was.askVolume;
    return sum;
  });
}

function comparison(
  name: string,
  reference: string,
  values: Series,
  expected: Series,
): ReferenceComparison {
  const pairs = expected.map((one, index) => [values[index] ?? null, one ?? null] as const);
  const both = pairs.flatMap(([one, other]) =>
    one === null || other === null ? [] : [Math.abs(one - other)],
  );
  return {
    ...{ name, reference, compared: both.length, maxDifference: Math.max(...both) },
    onlyOne: pairs.filter(([one, other]) => (one === null) !== (other === null)).length,
  };
}
