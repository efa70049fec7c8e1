/**
 * The report of a backtest as one self-contained HTML page: no script, no font, no request. Every
 * text is escaped: names may come from untrusted files.
 */
import { formatLots, formatTicks, type Market } from '../../domain/market.ts';
import type { AccountRecorder } from '../metrics/account-recorder.ts';
import type { LoggedFill } from '../metrics/fill-log.ts';
import type { RunMetrics } from '../metrics/run-metrics.ts';
import type { RunRecorder, Sample } from '../metrics/run-recorder.ts';
import { type SendingFigures, sendingRows } from '../metrics/sending-sums.ts';
import { gapText } from '../metrics/watched-time.ts';
import type { BacktestResult } from '../run/backtest-result.ts';
import { type PlayedData, playedRows } from '../run/played-data.ts';
import { strategyRows } from '../run/strategy-results.ts';
import { chartOf, escapeText, type Line, type Mark } from './chart.ts';
import { pageStyle } from './page-style.ts';
import { type PrintedLinesOfRun, printedPart } from './printed-part.ts';
import { type MarketReport, profitTextOf } from './result-lines.ts';

/** More marks than this would overlap and slow the page down; they are thinned evenly. */
const marksMax = 2_000;

/** A market of the page, with the recorder that observed it. */
export type ReportedMarket = MarketReport & { readonly recorder: RunRecorder };

export type ReportOptions = {
  readonly result: BacktestResult;
  /** In the order of the result's markets. */
  readonly markets: readonly ReportedMarket[];
  /** Present if there are several markets with the same counter currency. */
  readonly account: AccountRecorder | undefined;
  /** Cautions about the whole run; the metrics of each market also begin with them. */
  readonly cautions: readonly string[];
  readonly played: PlayedData;
  readonly sending: SendingFigures;
  readonly hash: string;
  readonly printed: PrintedLinesOfRun;
  /** The settings of the run, as text. */
  readonly settings: string;
};

/** Returns the page. */
export function reportPageOf(options: ReportOptions): string {
  const { result, markets, cautions, hash } = options;
  const title = `Backtest ${result.scenario}`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeText(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
<header><h1>${escapeText(title)}</h1><p>
${escapeText(result.pair)}, ${result.rows} rows over ${hoursText(result.virtualSeconds)}.
Result <code>${escapeText(hash.slice(0, 16))}</code>.
</p></header>
${markets.map((report) => coarseDataSection(report, markets.length > 1)).join('\n')}
${markets.length === 1 ? '' : `${cautionList(cautions)}${totalsPart(options)}`}
${markets.map((report) => marketPart(report, options)).join('\n')}
<section class="tables">
${strategyTable(result, markets)}
${tableOf('Refusals and incidents', refusalRows(result))}
${tableOf('Approved orders', sendingRows(options.sending))}
${tableOf('Data played', playedRows(options.played))}
</section>${printedPart(options.printed)}
<details><summary>Settings</summary><pre>${escapeText(options.settings)}</pre></details>
<footer><p>${fillsText(markets)}
How other traders would have reacted to our orders is unknown.</p></footer>
</body>
</html>
`;
}

function strategyTable({ strategies }: BacktestResult, markets: readonly ReportedMarket[]): string {
  if (strategies === undefined) return '';
  const rows = strategyRows(strategies, markets);
  return tableOf('Strategies', rows.length === 0 ? [['no fills', '']] : rows);
}

/** The totals of several markets on one account. */
function totalsPart({ result, markets, account }: ReportOptions): string {
  const profit = profitTextOf(result, markets);
  const drawdown =
    account === undefined
      ? ''
      : card('Worst drawdown', `${account.metrics.drawdownMax} ${account.currency}`);
  const chart =
    account === undefined
      ? ''
      : profitChart('Profit of all markets', account.currency, account.samples);
  return `<section class="cards">
${card('Profit', profit, lookOf(result.profit ?? ''))}
${drawdown}
${card('Fills', `${result.fills} (${result.makerFills} as maker)`)}
</section>
${chart}`;
}

function marketPart(
  { result, metrics, market, recorder }: ReportedMarket,
  { markets, cautions }: ReportOptions,
): string {
  const { base, counter } = market;
  const isNamed = markets.length > 1;
  return `${isNamed ? `<h2>${escapeText(result.pair)}</h2>` : ''}
${cautionList(isNamed ? metrics.cautions.slice(cautions.length) : metrics.cautions)}
<section class="cards">
${card('Profit', `${metrics.trader.profit} ${counter}`, lookOf(metrics.trader.profit))}
${card('Worst drawdown', `${metrics.trader.drawdownMax} ${counter}`)}
${card('Fills', `${result.fills} (${result.makerFills} as maker)`)}
${card('Position', `${result.position} ${base}`)}
${card('Fees', `${metrics.maker.fees} ${counter}`)}
</section>
${chartsOf(recorder, market)}
<section class="tables">
${tableOf('Trader', traderRows(metrics, counter))}
${tableOf('Market maker', makerRows(metrics, market))}
${sourcesTable(metrics, counter)}
${tableOf(
  'Markouts: move of the mid in our favor after a fill',
  metrics.maker.markouts.map(({ seconds, fills, sum, bps }) => [
    `${seconds} s`,
    `${bps === null ? 'n/a' : `${bps} bps`}, ${sum} ${counter} over ${fills} fills`,
  ]),
)}
${historyTable(result)}
</section>`;
}

/** Returns nothing for coarse data, where the spread is an assumption. */
function sourcesTable({ maker, trader }: RunMetrics, counter: string): string {
  const { spreadCaptured, inventory } = maker;
  if (spreadCaptured === undefined || inventory === undefined) return '';
  return tableOf('Where the profit comes from', [
    ['Spread captured', `${spreadCaptured} ${counter}`],
    ['Less fees', `${maker.fees} ${counter}`],
    ['Inventory', `${inventory} ${counter}`],
    ['Profit', `${trader.profit} ${counter}`],
  ]);
}

function historyTable(result: ReportedMarket['result']): string {
  const { history } = result;
  if (history === undefined) return '';
  return tableOf('History and our orders', [
    ['Historical trades displaced by ours', String(history.displacedTrades)],
    ['Historical orders that would have crossed ours', String(history.displacedOrders)],
    ['Historical orders that we took volume from', String(history.takenOrders)],
    ['Fills before orders ahead in the queue', String(history.fillsOutOfQueue)],
    ['Inconsistent rows', String(history.unknownOrders + history.impossibleRows)],
    ...gapRows(result),
  ]);
}

function gapRows({ gaps }: ReportedMarket['result']): Row[] {
  if (gaps === undefined) return [];
  return [
    ['Gaps in the stream', String(gaps.count)],
    ['Our orders that kept their place, went to the back', `${gaps.kept}, ${gaps.wentBehind}`],
  ];
}

function profitChart(
  title: string,
  unit: string,
  samples: readonly { readonly atMs: number; readonly profit: bigint }[],
): string {
  const values = samples.map(({ profit }) => floatOf(profit));
  return chartOf({
    title,
    unit,
    height: 220,
    times: samples.map(({ atMs }) => atMs),
    lines: [{ name: 'profit', look: 'profit', values, isStep: true }],
    includesZero: true,
  });
}

function lookOf(profit: string): string {
  if (profit === '') return '';
  return profit.startsWith('-') ? 'bad' : 'good';
}

function chartsOf(recorder: RunRecorder, market: Market): string {
  const { samples, log } = recorder;
  const { base, counter, priceScale } = market;
  const times = samples.map(({ atMs }) => atMs);
  const ticksPerUnit = 10 ** priceScale;
  const price = (ticks: number | undefined): number | undefined =>
    ticks === undefined ? undefined : ticks / ticksPerUnit;
  const line = (
    name: string,
    look: string,
    value: (sample: Sample) => number | undefined,
  ): Line => ({
    name,
    look,
    values: samples.map(value),
    isStep: true,
  });
  return [
    chartOf({
      title: 'Price, our quotes and our fills',
      unit: counter,
      height: 320,
      times,
      lines: [
        line('best bid', 'bid', (sample) => price(sample.bid)),
        line('best ask', 'ask', (sample) => price(sample.ask)),
        line('our bid', 'own-bid', (sample) => price(sample.ownBid)),
        line('our ask', 'own-ask', (sample) => price(sample.ownAsk)),
      ],
      marks: thinned(log.sample.items).map((fill) => markOf(fill, market)),
    }),
    profitChart('Profit', counter, samples),
    chartOf({
      title: 'Drawdown',
      unit: counter,
      height: 140,
      times,
      lines: [{ ...drawdownOf(samples), isArea: true }],
      includesZero: true,
    }),
    chartOf({
      title: 'Position',
      unit: base,
      height: 160,
      times,
      lines: [
        { ...line('position', 'position', (sample) => floatOf(sample.position)), isArea: true },
      ],
      includesZero: true,
    }),
  ].join('\n');
}

function drawdownOf(samples: readonly Sample[]): Line {
  let peak = 0;
  const values = samples.map((sample) => {
    const profit = floatOf(sample.profit);
    peak = Math.max(peak, profit);
    return profit - peak;
  });
  return { name: 'below the peak', look: 'drawdown', values, isStep: true };
}

function markOf(fill: LoggedFill, market: Market): Mark {
  const { side, price, volume, isMaker, atMs } = fill;
  const look = side === 'BID' ? 'bought' : 'sold';
  const terms = `${formatLots(volume, market)} at ${formatTicks(price, market)}`;
  const time = new Date(atMs).toISOString().slice(11, 23);
  return {
    atMs,
    value: price / 10 ** market.priceScale,
    look,
    text: `${time} ${look} ${terms} as ${isMaker ? 'maker' : 'taker'}`,
  };
}

function thinned(fills: readonly LoggedFill[]): readonly LoggedFill[] {
  const every = Math.ceil(fills.length / marksMax);
  return every <= 1 ? fills : fills.filter((_, index) => index % every === 0);
}

function traderRows({ time, trader }: RunMetrics, counter: string): Row[] {
  const money = (text: string | null): string => (text === null ? 'n/a' : `${text} ${counter}`);
  return [
    ['Profit', money(trader.profit)],
    ['Not recorded', gapText(time) ?? 'nothing'],
    ['Profit, share of start value', percentText(trader.profitShare)],
    ['Worst drawdown', `${trader.drawdownMax} ${counter} in ${hoursText(trader.drawdownSeconds)}`],
    ['Round trips', String(trader.roundTrips)],
    ['Winning round trips', percentText(trader.winRate)],
    ['Profit factor', plainText(trader.profitFactor)],
    ['Mean round trip', money(trader.expectancy)],
    ['Best, worst round trip', `${money(trader.best)}, ${money(trader.worst)}`],
    ['Longest winning, losing streak', `${trader.winsInRowMax}, ${trader.lossesInRowMax}`],
    [
      'Mean holding time',
      trader.holdingSecondsMean === null ? 'n/a' : hoursText(trader.holdingSecondsMean),
    ],
    [
      'Sharpe, Sortino (per minute)',
      `${plainText(trader.sharpePerMinute)}, ${plainText(trader.sortinoPerMinute)}`,
    ],
  ];
}

function makerRows({ maker }: RunMetrics, { base }: Market): Row[] {
  const { aheadAtRest: ahead, quotedShare, touchShare } = maker;
  return [
    ['Orders', String(maker.orders)],
    ['Orders with a fill', percentText(maker.fillRatio)],
    ['Volume filled', percentText(maker.volumeRatio)],
    ['Fills as maker', percentText(maker.makerShare)],
    ['Cancelled orders per filled order', plainText(maker.cancelsPerFill)],
    [
      'Time quoted: bid, ask, both',
      [quotedShare.bid, quotedShare.ask, quotedShare.both].map(percentText).join(', '),
    ],
    ...(touchShare === undefined
      ? []
      : ([
          [
            'Time at the touch: bid, ask',
            [touchShare.bid, touchShare.ask].map(percentText).join(', '),
          ],
        ] satisfies Row[])),
    ...(ahead === undefined
      ? []
      : ([
          [
            'Queue ahead when placed',
            ahead === null
              ? 'no resting orders'
              : `${ahead.low} – ${ahead.median} – ${ahead.high} ${base} (quartiles)`,
          ],
          ['Largest queue ahead at a fill', `${maker.aheadAtFillMax} ${base}`],
        ] satisfies Row[])),
  ];
}

function refusalRows({ refusals, incidents }: BacktestResult): Row[] {
  const rows = [
    ...Object.entries(refusals.gate).map(([name, count]): Row => [`gate: ${name}`, String(count)]),
    ...Object.entries(refusals.exchange).map(
      ([name, count]): Row => [`exchange: ${name}`, String(count)],
    ),
    ...Object.entries(incidents).map(([name, count]): Row => [`incident: ${name}`, String(count)]),
  ];
  return rows.length === 0 ? [['none', '']] : rows;
}

function cautionList(cautions: readonly string[]): string {
  if (cautions.length === 0) return '';
  const items = cautions.map((text) => `<li>${escapeText(text)}</li>`).join('\n');
  return `<ul class="cautions">\n${items}\n</ul>`;
}

/** How fills over coarse data were decided; the first part of the page. */
function coarseDataSection({ coarseData, result }: ReportedMarket, isNamed: boolean): string {
  if (coarseData === undefined) return '';
  const rules = coarseData.rules.map((rule) => `<li>${escapeText(rule)}</li>`).join('\n');
  const pair = isNamed ? `, ${escapeText(result.pair)}` : '';
  return `<section class="coarse"><h2>Coarse data: ${coarseData.grade}${pair}</h2>
<p>${escapeText(capitalized(coarseData.caution))}.</p>
<ul>
${rules}
</ul></section>
`;
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function fillsText(markets: readonly ReportedMarket[]): string {
  const coarse = markets.filter(({ coarseData }) => coarseData !== undefined).length;
  if (coarse === 0) return 'Fills were decided by the recorded queue.';
  const others = coarse === markets.length ? '' : '; in the other markets, by the recorded queue';
  return `Fills were decided by the rules above${others}.`;
}

type Row = readonly [name: string, text: string];

function tableOf(title: string, rows: readonly Row[]): string {
  const body = rows
    .map(
      ([name, text]) =>
        `<tr><th scope="row">${escapeText(name)}</th><td>${escapeText(text)}</td></tr>`,
    )
    .join('\n');
  return `<table><caption>${escapeText(title)}</caption>\n${body}\n</table>`;
}

function card(name: string, text: string, look = ''): string {
  return `<div class="card ${look}"><b>${escapeText(name)}</b><span>${escapeText(text)}</span></div>`;
}

function hoursText(seconds: number): string {
  if (seconds < 120) return `${seconds.toFixed(1)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${(minutes / 60).toFixed(1)} h`;
}

function percentText(share: number | null): string {
  return share === null ? 'n/a' : `${(share * 100).toFixed(2)} %`;
}

function plainText(value: number | null): string {
  return value === null ? 'n/a' : String(value);
}

/** Converts an amount, an integer of 10^-18, to a float for a chart. */
function floatOf(amount: bigint): number {
  return Number(amount) / 1e18; // not money: only drawn
}
