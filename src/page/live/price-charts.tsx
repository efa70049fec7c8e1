/**
 * The charts of a pair, linked: price with own quotes and fills, profit with its parts, position.
 *
 * The server decimates what is in the shown range; zooming asks it again. Between two answers the
 * newest status adds a point a second, and an answer replaces these points.
 */
import { type Signal, useSignal } from '@preact/signals';
import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import type { BotStatus } from '../../domain/bot-status.ts';
import { after } from '../browser/browser-time.ts';
import { Chart } from '../chart/chart.tsx';
import { type ChartLink, createChartLink, extend } from '../chart/chart-link.ts';
import { ChartToolbar } from '../chart/chart-toolbar.tsx';
import { lengthOf } from '../chart/time-range.ts';
import { Candles } from '../components/candles.tsx';
import { Card } from '../components/card.tsx';
import { Problem } from '../components/states.tsx';
import { durationText } from '../format/times.ts';
import { fillMarks, type MarkoutHorizon, markoutHorizons } from './fill-marks.ts';
import { read } from './live-api.ts';
import {
  addTail,
  type Columns,
  emptyColumns,
  heldColumns,
  type TailPoint,
  tailPointOf,
} from './live-columns.ts';
import { positionSeries, priceSeries, profitSeries } from './live-series.ts';
import { candleLengthOf, midCandles } from './mid-candles.ts';
import { PlotPanes, plotLines, plotsOf } from './plot-charts.tsx';
import { useRead } from './use-read.ts';

const hourMs = 3_600_000;
const lengths = [hourMs / 4, hourMs, 6 * hourMs, 24 * hourMs, 7 * 24 * hourMs];
const followEveryMs = 10_000;
const settleMs = 250;
const tailMax = 120;

type ChartsProps = {
  readonly bot: string;
  readonly pair: string;
  readonly status: BotStatus | undefined;
  /** The time of the status, or when the bot ended. */
  readonly endMs: number;
  readonly onOrder: (intentId: number) => void;
};

export function PriceCharts(props: ChartsProps): JSX.Element {
  const { bot, pair, status, endMs, onOrder } = props;
  const horizon = useSignal<MarkoutHorizon>('markout10s');
  const strategy = useSignal('');
  const isCandles = useSignal(false);
  const link = useMemo(() => linkOf(endMs), [bot, pair]);
  const { past, fills, columns, problem, reload } = usePast(props, link, strategy.value);
  const marks = useMemo(() => fillMarks(fills, horizon.value), [fills, horizon.value]);
  const plots = plotsOf(status, pair, strategy.value);
  const newestMs = Math.max(0, ...plots.map(({ lastMs }) => lastMs));
  const price = useMemo(() => {
    const over = plots.filter(({ pane }) => pane === null);
    return [...priceSeries(columns), ...plotLines(over, columns.timesMs)];
  }, [columns, plots.length, newestMs]);
  const profit = useMemo(() => profitSeries(columns), [columns]);
  const position = useMemo(() => positionSeries(columns), [columns]);
  const decimals = status?.markets.find((one) => one.pair === pair)?.priceScale ?? 2;
  const shared = { link, times: columns.timesMs };
  return (
    <Card
      title={`${pair}: price, own quotes and fills`}
      name="charts"
      help={[
        'Fills are triangles whose tip is at the price: up for a purchase, down for a sale. Their',
        'colour is the move of the mid after the fill: green in our favour, red against us, grey not',
        'known.',
      ].join(' ')}
      aside={
        <ChartChoices {...{ horizon, strategy, isCandles, all: strategiesOf(status, pair) }} />
      }
    >
      <ChartToolbar link={link} lengths={lengths} />
      {problem !== undefined && <Problem text={problem} onRetry={reload} />}
      {isCandles.value && <MidCandles past={past} link={link} decimals={decimals} />}
      <Chart
        title="Price"
        height={300}
        series={price}
        marks={marks}
        onMark={({ id }) => typeof id === 'number' && onOrder(id)}
        {...shared}
      />
      <PlotPanes plots={plots} {...shared} />
      <Chart title="Profit" height={150} hasZero series={profit} {...shared} />
      <Chart title="Position" height={110} hasZero series={position} {...shared} />
    </Card>
  );
}

type ChoicesProps = {
  readonly horizon: Signal<MarkoutHorizon>;
  /** The chosen strategy; empty for all. */
  readonly strategy: Signal<string>;
  readonly isCandles: Signal<boolean>;
  /** The strategies of the pair. */
  readonly all: readonly string[];
};

function ChartChoices({ horizon, strategy, isCandles, all }: ChoicesProps): JSX.Element {
  return (
    <>
      <label>
        <input
          type="checkbox"
          checked={isCandles.value}
          onChange={({ currentTarget }) => {
            isCandles.value = currentTarget.checked;
          }}
        />{' '}
        Candles
      </label>
      {all.length > 1 && (
        <select
          aria-label="Strategy"
          value={strategy.value}
          onChange={({ currentTarget }) => {
            strategy.value = currentTarget.value;
          }}
        >
          <option value="">All strategies</option>
          {all.map((id) => (
            <option key={id}>{id}</option>
          ))}
        </select>
      )}
      <label>
        Fills coloured by the mid after{' '}
        <select
          value={horizon.value}
          onChange={({ currentTarget }) => {
            horizon.value = currentTarget.value as MarkoutHorizon;
          }}
        >
          {Object.entries(markoutHorizons).map(([name, text]) => (
            <option key={name} value={name}>
              {text}
            </option>
          ))}
        </select>
      </label>
    </>
  );
}

type CandlesProps = {
  readonly past: Columns | undefined;
  readonly link: ChartLink;
  readonly decimals: number;
};

function MidCandles({ past, link, decimals }: CandlesProps): JSX.Element {
  const lengthMs = candleLengthOf(link.shown.value);
  const candles = useMemo(
    () => (past === undefined ? [] : midCandles(past, lengthMs)),
    [past, lengthMs],
  );
  return (
    <Candles
      title={`Mid, candles of ${durationText(lengthMs)}, from samples`}
      candles={candles}
      decimals={decimals}
    />
  );
}

/** Reads what is in the shown range; while the charts follow, the newest statuses are added. */
function usePast({ bot, pair, status, endMs }: ChartsProps, link: ChartLink, strategy: string) {
  const asked = useSettledRange(link);
  const tail = useTail(status, pair, strategy);
  const points = Math.min(4_000, 2 * Math.max(300, document.documentElement.clientWidth));
  const query = () => {
    const range = link.chosen.peek();
    return {
      pair,
      points,
      strategy: strategy === '' ? undefined : strategy,
      from: range === null ? undefined : Math.floor(range.fromMs),
      to: range === null || isFollowing(link) ? undefined : Math.ceil(range.toMs),
    };
  };
  const key = JSON.stringify([bot, pair, strategy, asked]);
  const everyMs = isFollowing(link) ? followEveryMs : undefined;
  const history = useRead(key, everyMs, (signal) => read('history', bot, query(), signal));
  const fills = useRead(key, everyMs, (signal) => read('fills', bot, query(), signal));

  const answer = history.state.value.answer;
  const firstMs = answer?.firstMs ?? undefined;
  useEffect(() => {
    if (firstMs !== undefined)
      extend(link, { fromMs: Math.min(firstMs, endMs - 1_000), toMs: endMs });
  }, [link, firstMs, endMs]);

  const columns = useMemo<Columns>(
    () => addTail(heldColumns(answer?.columns ?? emptyColumns), isFollowing(link) ? tail : []),
    [answer, tail, link.chosen.value],
  );
  return {
    past: answer?.columns,
    fills: fills.state.value.answer?.columns,
    columns,
    problem: history.state.value.problem ?? fills.state.value.problem,
    reload: history.reload,
  };
}

function linkOf(endMs: number): ChartLink {
  const lastHour = { fromMs: endMs - hourMs, toMs: endMs };
  const link = createChartLink(lastHour);
  link.chosen.value = lastHour;
  return link;
}

/** Whether the charts show what comes. */
function isFollowing({ chosen, full }: ChartLink): boolean {
  const range = chosen.value;
  return range === null || full.value.toMs - range.toMs < lengthOf(range) / 50;
}

/**
 * Returns what the shown range is, as text, once it has not changed for a moment. A range that
 * follows the present is its length, since its ends move all the time.
 */
function useSettledRange(link: ChartLink): string {
  const range = link.chosen.value;
  const newest =
    range === null
      ? 'all'
      : isFollowing(link)
        ? `last ${Math.round(lengthOf(range))}`
        : `${range.fromMs} to ${range.toMs}`;
  const settled = useSignal(newest);
  useEffect(() => {
    if (settled.peek() === newest) return;
    return after(settleMs, () => {
      settled.value = newest;
    });
  }, [newest, settled]);
  return settled.value;
}

/** Returns a point for each second of the newest statuses, at most {@link tailMax}. */
function useTail(
  status: BotStatus | undefined,
  pair: string,
  strategyId: string,
): readonly TailPoint[] {
  const tail = useSignal<readonly TailPoint[]>([]);
  useEffect(() => {
    tail.value = [];
  }, [pair, strategyId, tail]);
  useEffect(() => {
    const point = status === undefined ? undefined : tailPointOf(status, pair, strategyId);
    const newestMs = tail.peek().at(-1)?.atMs ?? Number.NEGATIVE_INFINITY;
    if (point !== undefined && point.atMs >= newestMs + 1_000)
      tail.value = [...tail.peek(), point].slice(-tailMax);
  }, [status, pair, strategyId, tail]);
  return tail.value;
}

function strategiesOf(status: BotStatus | undefined, pair: string): readonly string[] {
  const ofPair = status?.strategies.filter((one) => one.pair === pair) ?? [];
  return ofPair.map(({ strategyId }) => strategyId);
}
