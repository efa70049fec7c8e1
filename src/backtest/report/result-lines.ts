/** The figures of a backtest as lines of text: the run, and each of its markets. */
import type { Market } from '../../domain/market.ts';
import type { CoarseDataReport } from '../coarse/coarse-data.ts';
import type { LimitPeak } from '../metrics/limit-peaks.ts';
import type { RunMetrics } from '../metrics/run-metrics.ts';
import { type SendingFigures, sendingText } from '../metrics/sending-sums.ts';
import type { BacktestResult, MarketResult } from '../run/backtest-result.ts';
import type { PlayedData } from '../run/played-data.ts';
import { strategyRows } from '../run/strategy-results.ts';
import { metricLines } from './metric-lines.ts';

export type MarketReport = {
  readonly market: Market;
  readonly result: MarketResult;
  readonly metrics: RunMetrics;
  /** How fills were decided, if the recording holds trades or candles. */
  readonly coarseData: CoarseDataReport | undefined;
  readonly fees: { readonly maker: string; readonly taker: string };
  /** Whether strategies only watch it: it has no figures of orders, fills and profit. */
  readonly isWatched: boolean;
};

type Line = readonly [name: string, text: string];

/** Only the limits that were used most are printed. */
const limitsShown = 3;

export function resultLines(
  result: BacktestResult,
  markets: readonly MarketReport[],
  run: {
    readonly wallSeconds: number;
    readonly rowsPerSecond: number;
    readonly hash: string;
    readonly sending: SendingFigures;
    readonly limits: readonly LimitPeak[];
    readonly played: Pick<PlayedData, 'from' | 'to'>;
  },
): readonly string[] {
  const counts = (record: Readonly<Record<string, number>>): string => {
    const texts = Object.entries(record).map(([name, count]) => `${name} ${count}`);
    return texts.length === 0 ? 'none' : texts.join(', ');
  };
  const isOne = markets.length === 1;
  const traded = markets.filter(({ isWatched }) => !isWatched);
  const isTrading = traded.length > 0;
  const ofTrading = (lines: readonly Line[]): readonly Line[] => (isTrading ? lines : []);
  const several: readonly Line[] = isOne
    ? []
    : [
        ['fills', fillsText(result)],
        ['profit', profitTextOf(result, markets)],
        ['at the exchange', accountsText(result)],
      ];
  const head: readonly Line[] = [
    ...traded.flatMap((market) => coarseDataLines(market, isOne)),
    ['scenario', [result.scenario, ...traded.map(feesText)].join(', ')],
    ['recording', `${result.rows} rows over ${result.virtualSeconds.toFixed(0)} s`],
    ['time played', `${run.played.from} to ${run.played.to}`],
    ...ofTrading([
      ['orders', `${result.orders} approved, ${result.ordersAccepted} accepted`],
      ['orders sent', sendingText(run.sending)],
      ...several,
    ]),
    ...(isTrading || Object.keys(result.refusals.gate).length > 0
      ? [['gate refusals', counts(result.refusals.gate)] as const]
      : []),
    ...ofTrading([['exchange refusals', counts(result.refusals.exchange)]]),
    ['incidents', counts(result.incidents)],
    ...ofTrading([
      ['limits', limitsText(run.limits)],
      ['open at the end', `${result.openOrdersAtExit} orders`],
    ]),
    ...strategyRows(result.strategies ?? [], markets).map(
      ([name, text]): Line => ['strategy', `${name}: ${text}`],
    ),
  ];
  const foot: readonly Line[] = [
    ...Object.entries(result.done ?? {}).map(([id, { atMs, reason }]): Line => {
      const at = new Date(atMs).toISOString();
      return ['done', `${id} at ${at}: ${reason}`];
    }),
    ...(result.partial === undefined ? [] : [['PARTIAL', result.partial] as const]),
    ['run time', `${run.wallSeconds.toFixed(2)} s, ${run.rowsPerSecond} rows a second`],
    ['hash', run.hash],
  ];
  return [
    '',
    ...head.map(lineOf),
    ...markets.flatMap((report) => [
      ...(isOne ? [] : ['', `${report.result.pair}: ${report.result.rows} rows`]),
      ...(report.isWatched
        ? watchedLinesOf(report).map(lineOf)
        : [...marketLinesOf(report).map(lineOf), ...metricLines(report.metrics, report.market)]),
    ]),
    ...(isOne ? [] : ['']),
    ...foot.map(lineOf),
  ];
}

/** How fills over coarse data were decided; the first lines of the text. */
function coarseDataLines({ coarseData, result }: MarketReport, isOne: boolean): readonly Line[] {
  if (coarseData === undefined) return [];
  const { grade, caution, rules } = coarseData;
  const pair = isOne ? '' : `${result.pair}, `;
  return [
    ['coarse data', `${pair}${grade}: ${caution}`],
    ...rules.map((rule): Line => ['rule', rule]),
  ];
}

function marketLinesOf({ market, result }: MarketReport): readonly Line[] {
  const { base, counter } = market;
  const { history } = result;
  return [
    ['fills', fillsText(result)],
    ['traded', `${result.volume} ${base}, ${result.turnover} ${counter}`],
    ['position', `${result.position} ${base}`],
    ['cash', `${result.cash} ${counter}`],
    ['fees', `${result.fees.base} ${base}, ${result.fees.counter} ${counter}`],
    ['profit', `${result.profit ?? '?'} ${counter} at a mid of ${result.mid ?? '?'}`],
    ...(history === undefined
      ? []
      : [
          [
            'history conflicts',
            `${history.displacedTrades} trades and ${history.displacedOrders} orders displaced, volume taken from ${history.takenOrders} orders`,
          ] as const,
          [
            'doubtful',
            `${history.fillsOutOfQueue} fills out of queue order, ${history.unknownOrders + history.impossibleRows} inconsistent rows`,
          ] as const,
        ]),
    [
      'at the exchange',
      `${result.fillsAtExchange} fills, ` +
        `difference ${result.positionDifference} ${base}, ${result.balanceDifference} ${counter}`,
    ],
    ...(result.gaps === undefined
      ? []
      : [
          [
            'stream gaps',
            `${result.gaps.count}; our orders: ${result.gaps.kept} kept their place, ${result.gaps.wentBehind} went to the back`,
          ] as const,
        ]),
  ];
}

function watchedLinesOf({ market, result, metrics }: MarketReport): readonly Line[] {
  const { pair, counter } = market;
  const mid = result.mid === null ? 'no mid' : `a mid of ${result.mid} ${counter}`;
  return [
    ['watched', `${pair}, which no strategy trades; ${mid} at the end`],
    ...metrics.cautions.map((text): Line => ['caution', text]),
  ];
}

function fillsText({ fills, makerFills, takerFills }: BacktestResult | MarketResult): string {
  return `${fills} (${makerFills} maker, ${takerFills} taker)`;
}

function feesText({ result, fees }: MarketReport): string {
  return `${result.pair} fees ${fees.maker} / ${fees.taker} (maker / taker)`;
}

/** Returns the total profit, or that of each market if their counter currencies differ. */
export function profitTextOf({ profit }: BacktestResult, markets: readonly MarketReport[]): string {
  if (profit !== null) return `${profit} ${markets[0]?.market.counter}`;
  return markets
    .map(({ result, market }) => `${result.profit ?? '?'} ${market.counter} in ${result.pair}`)
    .join(', ');
}

function accountsText({ fillsAtExchange, accountDifferences = {} }: BacktestResult): string {
  const texts = Object.entries(accountDifferences).map(([name, amount]) => `${amount} ${name}`);
  return `${fillsAtExchange} fills, difference ${texts.join(', ')}`;
}

function lineOf([name, text]: Line): string {
  return `${name.padEnd(17)} ${text}`;
}

function limitsText(limits: readonly LimitPeak[]): string {
  const used = limits
    .toSorted((a, b) => (b.share ?? 0) - (a.share ?? 0))
    .filter(({ share }) => share !== null && share > 0)
    .slice(0, limitsShown)
    .map(({ key, share }) => `${key} ${((share ?? 0) * 100).toFixed(1)} %`);
  return used.length === 0 ? 'none was used' : `used most: ${used.join(', ')}`;
}
