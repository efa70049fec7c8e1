/** The panes of a result's chart, all with one link. */
import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { PageChart, PagePane, PageSeries } from '../../backtest/report/page-data.ts';
import { Chart } from '../chart/chart.tsx';
import type { ChartLink } from '../chart/chart-link.ts';
import type { ChartSeries } from '../chart/chart-series.ts';
import { drawn, exactText } from '../format/figures.ts';
import type { Ink } from '../format/ink.ts';
import type { DrawnMarks } from './drawn-marks.ts';

const inks: Readonly<Record<PageSeries['look'], Ink>> = {
  bid: 'soft',
  ask: 'soft',
  'own-bid': 'buy',
  'own-ask': 'sell',
  profit: 'series-1',
  drawdown: 'bad',
  position: 'series-4',
  b: 'series-3',
  'plot-1': 'series-1',
  'plot-2': 'series-2',
  'plot-3': 'series-3',
  'plot-4': 'series-4',
};

type ChartsProps = {
  readonly chart: PageChart;
  readonly link: ChartLink;
  /** Drawn in the first pane. */
  readonly marks?: DrawnMarks;
};

export function ResultCharts({ chart, link, marks }: ChartsProps): JSX.Element {
  return (
    <div class="stack">
      {chart.panes.map((pane, index) => (
        <PaneChart
          key={pane.title}
          pane={pane}
          times={chart.times}
          link={link}
          {...(index === 0 && marks !== undefined ? { marks } : {})}
        />
      ))}
    </div>
  );
}

type PaneProps = {
  readonly pane: PagePane;
  readonly times: readonly number[];
  readonly link: ChartLink;
  readonly marks?: DrawnMarks;
};

function PaneChart({ pane, times, link, marks }: PaneProps): JSX.Element {
  const { title, unit, height, includes, series } = pane;
  const lines = useMemo(() => series.map(lineOf), [series]);
  return (
    <Chart
      title={unit === '' ? title : `${title}, ${unit}`}
      link={link}
      times={times}
      series={lines}
      height={height}
      hasZero={includes === 0}
      {...(marks === undefined ? {} : { marks: marks.marks, spans: marks.spans })}
    />
  );
}

function lineOf({ name, look, isArea, values }: PageSeries): ChartSeries {
  // A float lacks the last digits of some amounts; the read-out has them all.
  const exact = new Map<number, string>();
  for (const text of values) if (text !== null) exact.set(drawn(text), text);
  return {
    label: name,
    ink: inks[look],
    values: values.map((text) => drawn(text)),
    shape: isArea === true ? 'area' : 'steps',
    text: (value) => exactText(exact.get(value) ?? value),
  };
}
