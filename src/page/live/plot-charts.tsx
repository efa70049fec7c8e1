/** The metrics and plots of strategies: lines over the prices, panes of their own, and figures. */
import type { JSX } from 'preact';
import type { BotStatus, SeriesState } from '../../domain/bot-status.ts';
import { Chart } from '../chart/chart.tsx';
import type { ChartLink } from '../chart/chart-link.ts';
import type { ChartSeries } from '../chart/chart-series.ts';
import { Card } from '../components/card.tsx';
import { Table } from '../components/table.tsx';
import { numberText, roundedText } from '../format/figures.ts';
import { clockText } from '../format/times.ts';

const inks = ['series-1', 'series-2', 'series-3', 'series-4'] as const;

/** Returns the plots of a pair; of one strategy, or of all if its id is empty. */
export function plotsOf(
  status: BotStatus | undefined,
  pair: string,
  strategyId: string,
): readonly SeriesState[] {
  const isMeant = (one: SeriesState) => strategyId === '' || one.strategyId === strategyId;
  return status?.series.filter((one) => one.pair === pair && isMeant(one)) ?? [];
}

/** Returns lines with a value for each of the `times`: a value holds until the next one. */
export function plotLines(
  plots: readonly SeriesState[],
  times: readonly number[],
): readonly ChartSeries[] {
  return plots.map(({ name, timesMs, values }, index) => {
    let next = 0;
    return {
      label: name,
      ink: inks[index % inks.length] ?? 'series-1',
      shape: 'steps',
      text: numberText,
      values: times.map((time) => {
        while (next < timesMs.length && (timesMs[next] ?? 0) <= time) next++;
        return values[next - 1] ?? null;
      }),
    };
  });
}

type PanesProps = {
  readonly plots: readonly SeriesState[];
  readonly link: ChartLink;
  readonly times: readonly number[];
};

/** A chart for each pane of the plots. */
export function PlotPanes({ plots, link, times }: PanesProps): JSX.Element {
  const panes = Map.groupBy(plots, ({ pane }) => pane);
  return (
    <>
      {[...panes].map(([pane, ofPane]) =>
        pane === null ? null : (
          <Chart
            key={pane}
            title={pane}
            height={110}
            link={link}
            times={times}
            series={plotLines(ofPane, times)}
          />
        ),
      )}
    </>
  );
}

const shown = (value: number): string => roundedText(value, { decimals: 6 });

/** The figures of every metric and plot; nothing if strategies give out none. */
export function SeriesPanel({ status }: { readonly status: BotStatus }): JSX.Element | null {
  const { series } = status;
  if (series.length === 0) return null;
  return (
    <Card
      title="Strategy series"
      name="series"
      help="What strategies measure and plot, in this run."
    >
      <Table
        caption="Metrics and plots"
        rows={series}
        rowKey={({ strategyId, kind, name, pair, pane }) =>
          [strategyId, kind, pair, pane, name].join()
        }
        empty="None."
        columns={[
          { key: 'name', title: 'Name', cell: ({ name }) => name },
          { key: 'strategy', title: 'Strategy', cell: ({ strategyId }) => strategyId },
          { key: 'last', title: 'Last', isFigure: true, cell: ({ last }) => shown(last) },
          { key: 'min', title: 'Lowest', isFigure: true, cell: ({ min }) => shown(min) },
          { key: 'max', title: 'Highest', isFigure: true, cell: ({ max }) => shown(max) },
          { key: 'at', title: 'At, UTC', cell: ({ lastMs }) => clockText(lastMs) },
        ]}
      />
    </Card>
  );
}
