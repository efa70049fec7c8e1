/** The metrics and plots of strategies on the page of a backtest. */
import type { RunSeriesResult } from '../metrics/run-series.ts';
import type { PagePane, PageSeries, PageTable } from './page-data.ts';
import { count, row, text } from './page-values.ts';

const looks = ['plot-1', 'plot-2', 'plot-3', 'plot-4'] as const;
const paneHeight = 160;
/** Digits beyond these come from the arithmetic of floats. */
const digits = 12;

/** Returns the plots over the prices of `pair`, one value for each of the `times`. */
export function plotsOverPrices(
  pair: string,
  series: readonly RunSeriesResult[],
  times: readonly number[],
): readonly PageSeries[] {
  return linesOf(
    series.filter((one) => one.kind === 'plot' && one.pair === pair && one.pane === null),
    times,
    isOneStrategy(series),
  );
}

export function plotPanes(
  pair: string,
  series: readonly RunSeriesResult[],
  times: readonly number[],
): readonly PagePane[] {
  const own = series.filter((one) => one.pair === pair && one.pane !== null);
  return [...Map.groupBy(own, ({ pane }) => pane ?? '')].map(([pane, ofPane]) => ({
    // No title of ours ends like this, so a comparison never takes one pane for another.
    title: `${pane} (plot)`,
    unit: '',
    height: paneHeight,
    series: linesOf(ofPane, times, isOneStrategy(series)),
  }));
}

/** Returns the figures of all metrics; no table without one. */
export function metricTables(series: readonly RunSeriesResult[]): readonly PageTable[] {
  const metrics = series.filter(({ kind }) => kind === 'metric');
  if (metrics.length === 0) return [];
  const rows = metrics.map((one) =>
    row(
      `${one.strategyId} ${one.name}`,
      ...[one.last, one.min, one.max].map((value) => text(plainText(value))),
      count(one.count),
      count(one.leftOut),
    ),
  );
  const columns = ['last', 'lowest', 'highest', 'values', 'left out'];
  return [{ title: "Strategies' metrics", columns, rows }];
}

function isOneStrategy(series: readonly RunSeriesResult[]): boolean {
  return new Set(series.map(({ strategyId }) => strategyId)).size === 1;
}

function linesOf(
  series: readonly RunSeriesResult[],
  times: readonly number[],
  isOne: boolean,
): readonly PageSeries[] {
  return series.map((one, index) => ({
    name: isOne ? one.name : `${one.strategyId}: ${one.name}`,
    look: looks[index % looks.length] ?? 'plot-1',
    values: heldAt(one, times),
  }));
}

/** A value holds until the next one. */
function heldAt({ timesMs, values }: RunSeriesResult, times: readonly number[]) {
  let index = -1;
  return times.map((time) => {
    while (index + 1 < timesMs.length && (timesMs[index + 1] as number) <= time) index++;
    return index === -1 ? null : plainText(values[index] as number);
  });
}

/** Not money: a figure of a strategy. */
function plainText(value: number): string {
  return String(Number(value.toPrecision(digits))); // not money
}
