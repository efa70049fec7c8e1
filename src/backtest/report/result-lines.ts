/** What a backtest found, as lines of a terminal: the run, and each of its markets. */
import type { Market } from '../../domain/market.ts';
import type { CoarseDataReport } from '../coarse/coarse-data.ts';
import type { RunMetrics } from '../metrics/run-metrics.ts';
import { type SendingFigures, sendingText } from '../metrics/sending-sums.ts';
import type { BacktestResult, MarketResult } from '../run/backtest-result.ts';
import type { PlayedData } from '../run/played-data.ts';
import { strategyRows } from '../run/strategy-results.ts';
import { metricLines } from './metric-lines.ts';

/** A market with its figures and what it cost to trade there. */
export type MarketReport = {
  readonly market: Market;
  readonly result: MarketResult;
  readonly metrics: RunMetrics;
  /** Of a recording of trades or candles: how fills were decided. */
  readonly coarseData: CoarseDataReport | undefined;
  readonly fees: { readonly maker: string; readonly taker: string };
};

type Line = readonly [name: string, text: string];

/** The figures as lines for people. */
export function resultLines(
  result: BacktestResult,
  markets: readonly MarketReport[],
  run: {
    readonly wallSeconds: number;
    readonly rowsPerSecond: number;
    readonly hash: string;
    readonly sending: SendingFigures;
    readonly played: Pick<PlayedData, 'from' | 'to'>;
  },
): readonly string[] {
  const counts = (record: Readonly<Record<string, number>>): string => {
    const texts = Object.entries(record).map(([name, count]) => `${name} ${count}`);
    return texts.length === 0 ? 'none' : texts.join(', ');
  };
  const isOne = markets.length === 1;
  const several: readonly Line[] = isOne
    ? []
    : [
        ['fills', fillsText(result)],
        ['profit', profitTextOf(result, markets)],
        ['against the tape', accountsText(result)],
      ];
  const head: readonly Line[] = [
    ...markets.flatMap((one) => coarseDataLines(one, isOne)),
    ['scenario', [result.scenario, ...markets.map(feesText)].join(', ')],
    ['recording', `${result.rows} rows over ${result.virtualSeconds.toFixed(0)} s`],
    ['time played', `${run.played.from} to ${run.played.to}`],
    ['orders', `${result.orders} approved, ${result.ordersAccepted} accepted`],
    ['orders left', sendingText(run.sending)],
    ...several,
    ['refused by gate', counts(result.refusals.gate)],
    ['refused by tape', counts(result.refusals.exchange)],
    ['incidents', counts(result.incidents)],
    ['open at the end', `${result.openOrdersAtExit} orders`],
    ...strategyRows(result.strategies ?? [], markets).map(
      ([name, text]): Line => ['strategy', `${name}: ${text}`],
    ),
  ];
  const foot: readonly Line[] = [
    ...(result.partial === undefined ? [] : [['PARTIAL', result.partial] as const]),
    ['ran', `${run.wallSeconds.toFixed(2)} s, ${run.rowsPerSecond} rows a second`],
    ['hash', run.hash],
  ];
  return [
    '',
    ...head.map(lineOf),
    ...markets.flatMap((one) => [
      ...(isOne ? [] : ['', `${one.result.pair}: ${one.result.rows} rows`]),
      ...marketLinesOf(one).map(lineOf),
      ...metricLines(one.metrics, one.market),
    ]),
    ...(isOne ? [] : ['']),
    ...foot.map(lineOf),
  ];
}

/** How a lower grade decides fills, before all else. */
function coarseDataLines({ coarseData, result }: MarketReport, isOne: boolean): readonly Line[] {
  if (coarseData === undefined) return [];
  const { grade, caution, rules } = coarseData;
  const of = isOne ? '' : `${result.pair}, `;
  return [
    ['lower grade', `${of}${grade}: ${caution}`],
    ...rules.map((rule): Line => ['rule', rule]),
  ];
}

function marketLinesOf({ market, result }: MarketReport): readonly Line[] {
  const { base, counter } = market;
  const { tape } = result;
  return [
    ['fills', fillsText(result)],
    ['traded', `${result.volume} ${base}, ${result.turnover} ${counter}`],
    ['position', `${result.position} ${base}`],
    ['cash', `${result.cash} ${counter}`],
    ['fees', `${result.fees.base} ${base}, ${result.fees.counter} ${counter}`],
    ['profit', `${result.profit ?? '?'} ${counter} at a mid of ${result.mid ?? '?'}`],
    ...(tape === undefined
      ? []
      : [
          [
            'history changed',
            `${tape.displacedTrades} trades and ${tape.displacedOrders} orders displaced, ${tape.takenOrders} orders taken`,
          ] as const,
          [
            'doubtful',
            `${tape.fillsOutOfQueue} fills out of queue, ${tape.unknownOrders + tape.impossibleRows} rows that do not fit`,
          ] as const,
        ]),
    [
      'against the tape',
      `${result.fillsAtExchange} fills there, ` +
        `difference ${result.positionDifference} ${base}, ${result.balanceDifference} ${counter}`,
    ],
    ...(result.gaps === undefined
      ? []
      : [
          [
            'stream lost',
            `${result.gaps.count} times; our orders: ${result.gaps.kept} kept their place, ${result.gaps.wentBehind} went behind`,
          ] as const,
        ]),
  ];
}

function fillsText({ fills, makerFills, takerFills }: BacktestResult | MarketResult): string {
  return `${fills} (${makerFills} maker, ${takerFills} taker)`;
}

function feesText({ result, fees }: MarketReport): string {
  return `${result.pair} fees ${fees.maker} / ${fees.taker} (maker / taker)`;
}

/** Of several markets one sum, or each by itself where they have no currency in common. */
export function profitTextOf({ profit }: BacktestResult, markets: readonly MarketReport[]): string {
  if (profit !== null) return `${profit} ${markets[0]?.market.counter}`;
  return markets
    .map(({ result, market }) => `${result.profit ?? '?'} ${market.counter} in ${result.pair}`)
    .join(', ');
}

function accountsText({ fillsAtExchange, accountDifferences = {} }: BacktestResult): string {
  const texts = Object.entries(accountDifferences).map(([name, amount]) => `${amount} ${name}`);
  return `${fillsAtExchange} fills there, difference ${texts.join(', ')}`;
}

function lineOf([name, text]: Line): string {
  return `${name.padEnd(17)} ${text}`;
}
