/** What a backtest found: figures that follow from the scenario alone, and how fast it ran. */
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import { baseOf, counterOf, profitOf } from '../execution/positions.ts';
import { formatAtoms } from '../tape/atoms.ts';
import type { TapeCounts } from '../tape/tape-counts.ts';
import type { BacktestRun } from './backtest-run.ts';
import type { LowerGradeReport, LowerModel } from './lower/lower-grade.ts';

/** Amounts are decimal strings; null where there is nothing to value a position with. */
export type BacktestResult = {
  /** Only there if the recording is of trades or candles: how fills were decided. */
  readonly lowerGrade?: LowerGradeReport;
  /** Only there if the recording could not be read to its end: why. */
  readonly partial?: string;
  readonly scenario: string;
  readonly pair: string;
  readonly rows: number;
  readonly virtualSeconds: number;
  /** Approved by the gate. */
  readonly orders: number;
  readonly ordersAccepted: number;
  readonly fills: number;
  readonly makerFills: number;
  readonly takerFills: number;
  readonly fillsAtExchange: number;
  /** Traded, in the base and the counter currency. */
  readonly volume: string;
  readonly turnover: string;
  /** Gained since the start, fees taken off. */
  readonly position: string;
  readonly cash: string;
  readonly fees: { readonly base: string; readonly counter: string };
  /** The last mid, which values the position. */
  readonly mid: string | null;
  readonly profit: string | null;
  /** The exchange's accounts less what our fills make of the start balances. */
  readonly positionDifference: string;
  readonly balanceDifference: string;
  readonly openOrdersAtExit: number;
  /** By code: the gate's, each once per standing reason, and the exchange's. */
  readonly refusals: {
    readonly gate: Readonly<Record<string, number>>;
    readonly exchange: Readonly<Record<string, number>>;
  };
  readonly incidents: Readonly<Record<string, number>>;
  /**
   * How often history and our orders could not both be true, and how well the rows fitted. Only of
   * history order by order: a lower grade cannot know.
   */
  readonly tape?: Omit<TapeCounts, 'rows' | 'makerFills' | 'takerFills'>;
  /** Only there if the recording has gaps: what became of our orders that rested through them. */
  readonly gaps?: { readonly count: number; readonly kept: number; readonly wentBehind: number };
};

/** Returns the figures of a run that is over. */
export function resultOf(
  run: BacktestRun,
  scenario: ScenarioSettings,
  ended: {
    readonly startMicros: number;
    readonly openOrders: number;
    readonly partial?: string | undefined;
    readonly lower?: LowerModel | undefined;
  },
): BacktestResult {
  const { engine, store, port } = run;
  const { market, balances } = scenario;
  const reports = store.reports;
  const fills = reports.fills();
  const holdings = engine.fills.positions.entries().map(({ holding }) => holding);
  const sum = (amounts: readonly Decimal[]): Decimal =>
    amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));
  const position = sum(holdings.map(baseOf));
  const cash = sum(holdings.map(counterOf));
  const mid = midOf(run, scenario);
  const gained = (currency: string): Decimal => {
    const balance = port.desk.accounts.get(currency)?.balance ?? 0n;
    return decimalOf(formatAtoms(balance)).minus(balances[currency] ?? '0');
  };
  const { rows: _rows, makerFills: _maker, takerFills: _taker, ...tape } = port.desk.tape.counts;
  const { count, kept, wentBehind } = port.desk.tape.gaps;
  return {
    ...(ended.lower === undefined ? {} : { lowerGrade: ended.lower.report }),
    ...(ended.partial === undefined ? {} : { partial: ended.partial }),
    scenario: scenario.scenario,
    pair: market.pair,
    // Of the recording: a trade or a bar is several rows of what is made of it.
    rows: ended.lower?.flow.recordedRows ?? run.rows,
    virtualSeconds: (run.lastRowMicros - ended.startMicros) / 1e6,
    orders: reports.orders().length,
    ordersAccepted: port.desk.orders.size,
    fills: fills.length,
    makerFills: fills.filter((fill) => fill.maker).length,
    takerFills: fills.filter((fill) => !fill.maker).length,
    fillsAtExchange: port.desk.trades.length,
    volume: formatDecimal(sum(fills.map((fill) => decimalOf(fill.base)))),
    turnover: formatDecimal(sum(fills.map((fill) => decimalOf(fill.counter)))),
    position: formatDecimal(position),
    cash: formatDecimal(cash),
    fees: {
      base: formatDecimal(sum(fills.map((fill) => decimalOf(fill.feeBase)))),
      counter: formatDecimal(sum(fills.map((fill) => decimalOf(fill.feeCounter)))),
    },
    mid: mid === undefined ? null : formatDecimal(mid),
    profit:
      mid === undefined
        ? null
        : formatDecimal(sum(holdings.map((holding) => profitOf(holding, mid).profit))),
    positionDifference: formatDecimal(gained(market.base).minus(position)),
    balanceDifference: formatDecimal(gained(market.counter).minus(cash)),
    openOrdersAtExit: ended.openOrders,
    refusals: {
      gate: Object.fromEntries(
        reports
          .refusalCounts(0)
          .map(({ strategyId, code, count }) => [`${strategyId} ${code}`, count]),
      ),
      exchange: Object.fromEntries([...port.refusals].sort()),
    },
    incidents: Object.fromEntries(reports.incidentCounts().map(({ code, count }) => [code, count])),
    ...(ended.lower === undefined ? { tape } : {}),
    ...(count === 0 ? {} : { gaps: { count, kept, wentBehind } }),
  };
}

function midOf({ engine }: BacktestRun, { market }: ScenarioSettings): Decimal | undefined {
  const top = engine.markets.get(market.pair)?.top;
  if (top?.bid === undefined || top.ask === undefined) return undefined;
  return new Decimal(top.bid).plus(top.ask).div(2).div(new Decimal(10).pow(market.priceScale));
}

/** The figures as lines for people. */
export function resultLines(
  result: BacktestResult,
  scenario: ScenarioSettings,
  run: { readonly wallSeconds: number; readonly rowsPerSecond: number; readonly hash: string },
): readonly string[] {
  const { base, counter } = scenario.market;
  const { maker, taker } = scenario.fees;
  const counts = (record: Readonly<Record<string, number>>): string => {
    const texts = Object.entries(record).map(([name, count]) => `${name} ${count}`);
    return texts.length === 0 ? 'none' : texts.join(', ');
  };
  const { tape, lowerGrade } = result;
  const table: readonly (readonly [string, string])[] = [
    ...(lowerGrade === undefined
      ? []
      : [
          ['lower grade', `${lowerGrade.grade}: ${lowerGrade.caution}`] as const,
          ...lowerGrade.rules.map((rule) => ['rule', rule] as const),
        ]),
    ['scenario', `${result.scenario}, ${result.pair}, fees ${maker} / ${taker} (maker / taker)`],
    ['recording', `${result.rows} rows over ${result.virtualSeconds.toFixed(0)} s`],
    ['orders', `${result.orders} approved, ${result.ordersAccepted} accepted`],
    ['fills', `${result.fills} (${result.makerFills} maker, ${result.takerFills} taker)`],
    ['traded', `${result.volume} ${base}, ${result.turnover} ${counter}`],
    ['position', `${result.position} ${base}`],
    ['cash', `${result.cash} ${counter}`],
    ['fees', `${result.fees.base} ${base}, ${result.fees.counter} ${counter}`],
    ['profit', `${result.profit ?? '?'} ${counter} at a mid of ${result.mid ?? '?'}`],
    ['refused by gate', counts(result.refusals.gate)],
    ['refused by tape', counts(result.refusals.exchange)],
    ['incidents', counts(result.incidents)],
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
      `${result.fillsAtExchange} fills there, ${result.openOrdersAtExit} orders open, ` +
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
    ...(result.partial === undefined
      ? []
      : [['PARTIAL', `ended early: ${result.partial}`] as const]),
    ['ran', `${run.wallSeconds.toFixed(2)} s, ${run.rowsPerSecond} rows a second`],
    ['hash', run.hash],
  ];
  return ['', ...table.map(([name, text]) => `${name.padEnd(17)} ${text}`)];
}
