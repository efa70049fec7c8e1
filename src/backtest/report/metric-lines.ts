/** The most important metrics of a market as lines of text. */
import type { Market } from '../../domain/market.ts';
import type { RunMetrics } from '../metrics/run-metrics.ts';
import { gapText } from '../metrics/watched-time.ts';

/** Returns one line for each figure; the report page has all metrics. */
export function metricLines(
  { time, trader, maker, cautions }: RunMetrics,
  { base, counter }: Market,
): readonly string[] {
  const percent = (share: number | null): string =>
    share === null ? 'n/a' : `${(share * 100).toFixed(1)} %`;
  const { aheadAtRest: ahead, touchShare: touch } = maker;
  const gaps = gapText(time);
  const table: readonly (readonly [string, string])[] = [
    ...(gaps === undefined ? [] : [['not recorded', gaps] as const]),
    ['drawdown', `${trader.drawdownMax} ${counter}`],
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
