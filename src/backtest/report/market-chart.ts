/** The chart of one market on the page of a backtest, and what is marked on it. */
import { type Amount, formatAmount } from '../../domain/amount.ts';
import { formatTicks, type Market } from '../../domain/market.ts';
import { EvenSample } from '../metrics/even-sample.ts';
import { ExtremeSample } from '../metrics/extreme-sample.ts';
import type { FillEvent, PairEvents, RefusalEvent } from '../metrics/run-events.ts';
import type { RunRecorder, Sample } from '../metrics/run-recorder.ts';
import type { RunSeriesResult } from '../metrics/run-series.ts';
import type { PageChart, PageMarks, PagePane, PageSeries } from './page-data.ts';
import { plotPanes, plotsOverPrices } from './series-panes.ts';

/** All marks of a page; they are shared evenly among its markets. */
const fillGroupsOfPage = 4_096;
const ordersOfPage = 8_192;
const refusalsOfPage = 4_096;
/** Longer reasons are cut: every fill may have its own. */
const reasonLengthMax = 120;

export function marketChartOf(
  { samples }: RunRecorder,
  market: Market,
  series: readonly RunSeriesResult[],
  isWatched: boolean,
): PageChart {
  const { pair, base, counter } = market;
  const times = samples.map(({ atMs }) => atMs);
  const prices = (
    name: string,
    look: PageSeries['look'],
    of: (sample: Sample) => number | undefined,
  ): PageSeries => ({
    name,
    look,
    values: samples.map((sample) => {
      const ticks = of(sample);
      return ticks === undefined ? null : formatTicks(ticks as Sample['bid'] & number, market);
    }),
  });
  return {
    times,
    panes: [
      {
        title: isWatched ? 'Price' : 'Price, our quotes, orders and fills',
        unit: counter,
        height: 320,
        series: [
          prices('best bid', 'bid', ({ bid }) => bid),
          prices('best ask', 'ask', ({ ask }) => ask),
          ...(isWatched
            ? []
            : [
                prices('our bid', 'own-bid', ({ ownBid }) => ownBid),
                prices('our ask', 'own-ask', ({ ownAsk }) => ownAsk),
              ]),
          ...plotsOverPrices(pair, series, times),
        ],
      },
      ...plotPanes(pair, series, times),
      ...(isWatched ? [] : [...profitPanes(samples, counter), positionPane(samples, base)]),
    ],
  };
}

function positionPane(samples: readonly Sample[], unit: string): PagePane {
  const values = samples.map(({ position }) => formatAmount(position));
  return {
    ...{ title: 'Position', unit, height: 140, includes: 0 },
    series: [{ name: 'position', look: 'position', isArea: true, values }],
  };
}

export function accountChartOf(
  samples: readonly { readonly atMs: number; readonly profit: Amount }[],
  currency: string,
): PageChart {
  return { times: samples.map(({ atMs }) => atMs), panes: profitPanes(samples, currency) };
}

function profitPanes(samples: readonly { readonly profit: Amount }[], unit: string): PagePane[] {
  let peak = 0n;
  const below = samples.map(({ profit }) => {
    if (profit > peak) peak = profit;
    return formatAmount(profit - peak);
  });
  const profit = samples.map((sample) => formatAmount(sample.profit));
  return [
    {
      ...{ title: 'Profit', unit, height: 200, includes: 0 },
      series: [{ name: 'profit', look: 'profit', values: profit }],
    },
    {
      ...{ title: 'Drawdown', unit, height: 120, includes: 0 },
      series: [{ name: 'below the peak', look: 'drawdown', isArea: true, values: below }],
    },
  ];
}

export function marksOf(events: PairEvents, markets: number): PageMarks {
  const texts = new Texts();
  const fills = thinnedFills(events, markets);
  const orders = thinned(events.orders.items, ordersOfPage / markets);
  const refusals = thinned(events.refusals.items, refusalsOfPage / markets);
  return {
    fills: {
      all: events.fills.count,
      atMs: fills.map(({ row }) => row.tradedMs),
      isBid: fills.map(({ row }) => (row.side === 'BID' ? 1 : 0)),
      isMaker: fills.map(({ row }) => (row.maker ? 1 : 0)),
      price: fills.map(({ row }) => row.price),
      volume: fills.map(({ row }) => row.volume),
      feeBase: fills.map(({ row }) => row.feeBase),
      feeCounter: fills.map(({ row }) => row.feeCounter),
      order: fills.map(({ row }) => row.intentId),
      strategy: fills.map(({ row }) => texts.index(row.strategyId)),
      reason: fills.map(({ reason }) => texts.index(reason)),
    },
    orders: {
      all: events.orders.count,
      fromMs: orders.map(({ createdMs }) => createdMs),
      toMs: orders.map(({ completedMs }) => completedMs ?? null),
      isBid: orders.map(({ side }) => (side === 'BID' ? 1 : 0)),
      price: orders.map(({ price }) => price),
      volume: orders.map(({ volume }) => volume),
      state: orders.map(({ state }) => texts.index(state)),
      order: orders.map(({ intentId }) => intentId),
      strategy: orders.map(({ strategyId }) => texts.index(strategyId)),
      reason: orders.map(({ reason }) => texts.index(reason)),
    },
    refusals: {
      all: events.refusals.count,
      atMs: refusals.map(({ atMs }) => atMs),
      strategy: refusals.map(({ strategyId }) => texts.index(strategyId)),
      reason: refusals.map((refusal) => texts.index(refusalText(refusal))),
    },
    texts: texts.all,
  };
}

function thinnedFills({ fills }: PairEvents, markets: number): readonly FillEvent[] {
  if (markets === 1) return fills.items;
  const sample = new ExtremeSample<FillEvent>(2 * Math.ceil(fillGroupsOfPage / markets / 2));
  for (const fill of fills.items) sample.add(fill, Number(fill.row.price)); // not money: compared
  return sample.items;
}

function thinned<Item>(items: readonly Item[], max: number): readonly Item[] {
  const sample = new EvenSample<Item>(Math.max(2, Math.ceil(max)));
  for (const item of items) sample.add(item);
  return sample.items;
}

function refusalText({ refusals }: RefusalEvent): string {
  const all = JSON.parse(refusals) as readonly {
    readonly code: string;
    readonly observed: string;
    readonly limit: string;
    readonly unit: string;
  }[];
  return all
    .map(({ code, observed, limit, unit }) => `${code}: ${observed}, limit ${limit} ${unit}`)
    .join('; ');
}

/** Each text once. */
class Texts {
  readonly #indexes = new Map<string, number>();

  get all(): readonly string[] {
    return [...this.#indexes.keys()];
  }

  index(text: string): number {
    const cut = text.length <= reasonLengthMax ? text : `${text.slice(0, reasonLengthMax - 1)}…`;
    const index = this.#indexes.get(cut) ?? this.#indexes.size;
    this.#indexes.set(cut, index);
    return index;
  }
}
