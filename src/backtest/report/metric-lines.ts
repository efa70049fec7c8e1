/** The metrics that people read first, as lines of a terminal. */
import type { Market } from '../../domain/market.ts';
import type { RunMetrics } from './run-metrics.ts';

/** Returns a line each; the page has them all. */
export function metricLines(
  { trader, maker, cautions }: RunMetrics,
  { base, counter }: Market,
): readonly string[] {
  const percent = (share: number | null): string =>
    share === null ? 'none' : `${(share * 100).toFixed(1)} %`;
  const ahead = maker.aheadAtRest;
  const table: readonly (readonly [string, string])[] = [
    ['drawdown', `${trader.drawdownMax} ${counter}`],
    ['round trips', `${trader.roundTrips}, won ${percent(trader.winRate)}`],
    [
      'profit is',
      `spread ${maker.spreadCaptured}, less fees ${maker.fees}, inventory ${maker.inventory} ${counter}`,
    ],
    [
      'markouts',
      `${maker.markouts.map(({ seconds, bps }) => `${seconds} s ${bps ?? 'none'}`).join(', ')} bps`,
    ],
    [
      'quotes',
      `both sides ${percent(maker.quotedShare.both)}, filled ${percent(maker.fillRatio)}, ` +
        `at the touch ${percent(maker.touchShare.bid)} bid, ${percent(maker.touchShare.ask)} ask`,
    ],
    [
      'queue ahead',
      ahead === null ? 'never rested' : `${ahead.median} ${base} when placed (median)`,
    ],
    ...cautions.map((text): readonly [string, string] => ['caution', text]),
  ];
  return table.map(([name, text]) => `${name.padEnd(17)} ${text}`);
}
