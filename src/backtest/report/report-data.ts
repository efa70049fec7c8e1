/** Makes what the page of a backtest shows. */
import type { AccountRecorder } from '../metrics/account-recorder.ts';
import type { LimitPeak } from '../metrics/limit-peaks.ts';
import type { RunEvents } from '../metrics/run-events.ts';
import type { RunRecorder } from '../metrics/run-recorder.ts';
import type { RunSeriesResult } from '../metrics/run-series.ts';
import type { TagResult } from '../metrics/run-tags.ts';
import type { SendingFigures } from '../metrics/sending-sums.ts';
import type { BacktestResult } from '../run/backtest-result.ts';
import { type PlayedData, playedRows } from '../run/played-data.ts';
import { accountChartOf, marketChartOf, marksOf } from './market-chart.ts';
import { marketTablesOf } from './market-tables.ts';
import {
  type BacktestPageData,
  type PageCard,
  type PageMarket,
  type PageRow,
  type PageTable,
  type PageValue,
  pageFormat,
} from './page-data.ts';
import { amount, count, list, row, seconds, share, text, textList } from './page-values.ts';
import { type MarketReport, profitTextOf } from './result-lines.ts';
import { metricTables } from './series-panes.ts';
import { tagTables } from './tag-rows.ts';

/** A market of the page, with the recorder that observed it. */
export type ReportedMarket = MarketReport & { readonly recorder: RunRecorder };

export type ReportOptions = {
  readonly program: string;
  readonly result: BacktestResult;
  /** In the order of the result's markets. */
  readonly markets: readonly ReportedMarket[];
  /** Present if there are several markets with the same counter currency. */
  readonly account: AccountRecorder | undefined;
  readonly events: RunEvents;
  readonly series: readonly RunSeriesResult[];
  readonly tags: readonly TagResult[];
  /** Cautions about the whole run; the metrics of each market also begin with them. */
  readonly cautions: readonly string[];
  readonly limits: readonly LimitPeak[];
  readonly played: PlayedData;
  readonly sending: SendingFigures;
  readonly hash: string;
  readonly printed: BacktestPageData['printed'];
  readonly settings: string;
};

export function reportDataOf(options: ReportOptions): BacktestPageData {
  const { result, markets, account, cautions, played, hash } = options;
  const isOne = markets.length === 1;
  const isTrading = markets.some(({ isWatched }) => !isWatched);
  return {
    page: 'backtest',
    format: pageFormat,
    program: options.program,
    scenario: result.scenario,
    pairs: markets.map(({ market }) => market.pair),
    hash,
    rows: result.rows,
    seconds: result.virtualSeconds,
    from: played.from,
    to: played.to,
    recordings: played.markets.flatMap(({ recordings }) =>
      recordings.map(({ path, hash: contents }) => ({ path, hash: contents })),
    ),
    cautions: isOne ? [] : cautions,
    cards: isOne || !isTrading ? [] : totalCards(options),
    chart:
      account === undefined || !isTrading
        ? undefined
        : accountChartOf(account.samples, account.currency),
    markets: markets.map((report) => marketOf(report, options)),
    tables: [
      ...strategyTables(options),
      ...tagTables(options.tags, markets),
      ...metricTables(options.series),
      ...(isTrading
        ? [limitTable(options.limits), refusalTable(result), sendingTable(options.sending)]
        : []),
      textList('Data played', playedRows(played)),
    ],
    printed: options.printed,
    settings: options.settings,
    notes: isTrading
      ? [fillsText(markets), 'How other traders would have reacted to our orders is unknown.']
      : ['No strategy trades: the run has no orders, fills and profit.'],
  };
}

function totalCards({ result, markets, account }: ReportOptions): readonly PageCard[] {
  const counter = markets[0]?.market.counter ?? '';
  const profit: PageValue =
    result.profit === null ? text(profitTextOf(result, markets)) : amount(result.profit, counter);
  return [
    { name: 'Profit', value: profit, isGain: true },
    ...(account === undefined
      ? []
      : [{ name: 'Worst drawdown', value: amount(account.metrics.drawdownMax, account.currency) }]),
    ...fillCards(result),
  ];
}

function fillCards({ fills, makerFills }: Pick<BacktestResult, 'fills' | 'makerFills'>) {
  return [
    { name: 'Fills', value: count(fills) },
    { name: 'of them as maker', value: count(makerFills) },
  ];
}

function marketOf(
  report: ReportedMarket,
  { markets, events, series, cautions }: ReportOptions,
): PageMarket {
  const { result, metrics, market, recorder, isWatched } = report;
  const coarseData = isWatched ? undefined : report.coarseData;
  const { pair, base, counter } = market;
  const { trader, maker } = metrics;
  return {
    ...{ pair, base, counter },
    coarse: coarseData && {
      grade: coarseData.grade,
      caution: coarseData.caution,
      rules: coarseData.rules,
    },
    cautions: markets.length > 1 ? metrics.cautions.slice(cautions.length) : metrics.cautions,
    cards: isWatched
      ? [{ name: 'Mid at the end', value: amount(result.mid, counter) }]
      : [
          { name: 'Profit', value: amount(trader.profit, counter), isGain: true },
          { name: 'of the start value', value: share(trader.profitShare), isGain: true },
          { name: 'Worst drawdown', value: amount(trader.drawdownMax, counter) },
          ...fillCards(result),
          { name: 'Position', value: amount(result.position, base) },
          { name: 'Fees', value: amount(maker.fees, counter) },
        ],
    chart: marketChartOf(recorder, market, series, isWatched),
    marks: marksOf(events.of(pair), markets.length),
    tables: isWatched ? [] : marketTablesOf(result, metrics, market),
  };
}

function strategyTables({ result, markets }: ReportOptions): readonly PageTable[] {
  const { strategies } = result;
  if (strategies === undefined) return [];
  const rows = strategies.map(({ strategy, pair, ...one }): PageRow => {
    const market = markets.find((report) => report.market.pair === pair)?.market;
    const { base = '', counter = '' } = market ?? {};
    return row(
      `${strategy} ${pair}`,
      amount(one.profit, counter),
      amount(one.fees, counter),
      count(one.fills),
      amount(one.position, base),
    );
  });
  return [{ title: 'Strategies', columns: ['profit', 'fees', 'fills', 'position'], rows }];
}

function limitTable(limits: readonly LimitPeak[]): PageTable {
  return {
    title: 'Highest use of each limit',
    columns: ['used', 'of', 'share', 'at'],
    rows: limits.map(({ key, scope, used, max, unit, share: part, atMs }) =>
      row(
        key.startsWith('limits.eachStrategy') ? `${key} (${scope})` : key,
        amount(used, unit),
        amount(max, unit),
        share(part),
        text(atMs === null ? 'never' : new Date(atMs).toISOString()),
      ),
    ),
  };
}

function refusalTable({ refusals, incidents }: BacktestResult): PageTable {
  const rows = [
    ...Object.entries(refusals.gate).map(([name, times]) => row(`gate: ${name}`, count(times))),
    ...Object.entries(refusals.exchange).map(([name, times]) =>
      row(`exchange: ${name}`, count(times)),
    ),
    ...Object.entries(incidents).map(([name, times]) => row(`incident: ${name}`, count(times))),
  ];
  return list('Refusals and incidents', rows);
}

function sendingTable({ sent, neverSent, waitedLong, waitMs, moves }: SendingFigures): PageTable {
  const wait = (ms: number | undefined): PageValue => seconds(ms === undefined ? null : ms / 1_000);
  return list('Approved orders', [
    row('Sent', count(sent)),
    row('Never sent', count(neverSent)),
    row('Waited for more than a second', count(waitedLong)),
    row('Wait to be sent, median', wait(waitMs?.median)),
    row('Wait to be sent, 90th percentile', wait(waitMs?.p90)),
    row('Wait to be sent, longest', wait(waitMs?.max)),
    row('Replaced', count(moves.begun)),
    row('Replaced after more than a second', count(moves.waitedLong)),
    row('Replaced, longest wait', wait(moves.waitMsMax)),
  ]);
}

function fillsText(markets: readonly ReportedMarket[]): string {
  const traded = markets.filter(({ isWatched }) => !isWatched);
  const coarse = traded.filter(({ coarseData }) => coarseData !== undefined).length;
  if (coarse === 0) return 'Fills were decided by the recorded queue.';
  const others = coarse === traded.length ? '' : '; in the other markets, by the recorded queue';
  return `Fills were decided by the stated rules${others}.`;
}
