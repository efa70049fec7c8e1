/** The most important metrics of a market as lines of text. */
import type { Market } from '../../domain/market.ts';
import { decimalOf } from '../../domain/money.ts';
import type { DayFigures } from '../metrics/day-sums.ts';
import type { MakerMetrics, RunMetrics } from '../metrics/run-metrics.ts';
import { gapText } from '../metrics/watched-time.ts';

/** Returns one line for each figure; the report page has all metrics. */
export function metricLines(metrics: RunMetrics, { base, counter }: Market): readonly string[] {
  const { time, trader, returns, position, maker, days, cautions } = metrics;
  const { aheadAtRest: ahead, touchShare: touch } = maker;
  const gaps = gapText(time);
  const table: readonly (readonly [string, string])[] = [
    ...(gaps === undefined ? [] : [['not recorded', gaps] as const]),
    [
      'turnover',
      `${trader.turnover} ${counter}, ${trader.turnoverShare ?? 'n/a'} times the start value, fees ${trader.feesBps ?? 'n/a'} bps`,
    ],
    [
      'returns',
      `${percent(trader.profitShare, 3)} of the start value, a year ${percent(returns.profitSharePerYear)} ` +
        `(365 days, not compounded), Sharpe a year ${returns.sharpePerYear ?? 'n/a'}`,
    ],
    ...holdingLines(metrics, counter),
    ['drawdown', `${trader.drawdownMax} ${counter}`],
    [
      'time in market',
      `long ${percent(position.longShare)} and short ${percent(position.shortShare)} of the time, worth ` +
        `${position.valueMean} on average, ${position.longValueMax} and ${position.shortValueMax} ${counter} at most`,
    ],
    ...dayLines(days, counter),
    ['round trips', `${trader.roundTrips}, won ${percent(trader.winRate)}`],
    ...(maker.spreadCaptured === undefined
      ? []
      : [
          [
            'profit from',
            `spread ${maker.spreadCaptured}, less fees ${maker.fees}, plus inventory ${maker.inventory} ${counter}`,
          ] as const,
        ]),
    [
      'markouts',
      maker.markouts.length === 0
        ? 'unknown: shorter than a bar'
        : `${maker.markouts.map(({ seconds, bps }) => `${seconds} s ${bps ?? 'n/a'}`).join(', ')} bps`,
    ],
    ...placeLines(maker),
    [
      'quotes',
      `both sides ${percent(maker.quotedShare.both)}, filled ${percent(maker.fillRatio)}` +
        (touch === undefined
          ? ''
          : `, at the touch ${percent(touch.bid)} bid, ${percent(touch.ask)} ask`),
    ],
    ...(ahead === undefined
      ? []
      : [
          [
            'queue ahead',
            ahead === null ? 'no resting orders' : `${ahead.median} ${base} when placed (median)`,
          ] as const,
        ]),
    ...cautions.map((text): readonly [string, string] => ['caution', text]),
  ];
  return table.map(([name, text]) => `${name.padEnd(17)} ${text}`);
}

function percent(share: number | null, decimals = 1): string {
  return share === null ? 'n/a' : `${(share * 100).toFixed(decimals)} %`;
}

type Line = readonly [name: string, text: string];

function holdingLines({ holding }: RunMetrics, counter: string): readonly Line[] {
  if (holding === null) return [];
  const { priceChange, startBaseGain, allBaseGain, accountGain } = holding;
  return [
    [
      'holding',
      `the mid changed by ${percent(priceChange)}: the start balance gained ${startBaseGain}, all in the base currency ` +
        `would have gained ${allBaseGain ?? 'n/a'}, the account gained ${accountGain} ${counter}`,
    ],
  ];
}

/** A single day has the figures of the run. */
function dayLines(days: readonly DayFigures[], counter: string): readonly Line[] {
  if (days.length < 2) return [];
  const sorted = days.toSorted((a, b) => decimalOf(a.profit).comparedTo(b.profit));
  const [worst, best] = [sorted[0] as DayFigures, sorted.at(-1) as DayFigures];
  const won = days.filter(({ profit }) => decimalOf(profit).greaterThan(0)).length;
  return [
    [
      'days',
      `${days.length}, ${won} with a gain; best ${best.day} ${best.profit}, worst ${worst.day} ${worst.profit} ${counter}`,
    ],
  ];
}

function placeLines({ queuePlaces = [] }: MakerMetrics): readonly Line[] {
  const texts = queuePlaces.flatMap(({ aheadUpTo, orders, fillRatio }) =>
    orders === 0 ? [] : [`${aheadUpTo ?? 'more'}: ${percent(fillRatio)} of ${orders}`],
  );
  if (texts.length === 0) return [];
  return [['filled by place', `own volumes ahead ${texts.join(', ')}`]];
}
