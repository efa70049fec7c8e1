/** What a backtest found: figures that follow from the scenario alone, and how fast it ran. */
import { Decimal, decimalOf, formatDecimal } from '../domain/money.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import { baseOf, counterOf, profitOf } from '../execution/positions.ts';
import { formatAtoms } from '../tape/atoms.ts';
import type { TapeCounts } from '../tape/tape-counts.ts';
import type { BacktestRun } from './backtest-run.ts';

/** Amounts are decimal strings; null where there is nothing to value a position with. */
export type BacktestResult = {
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
  /** How often history and our orders could not both be true, and how well the rows fitted. */
  readonly tape: Omit<TapeCounts, 'rows' | 'makerFills' | 'takerFills'>;
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
  },
): BacktestResult {
  const { engine, store, port } = run;
  const { market, balances } = scenario;
  const fillSums = store.fillSumsOf(market.pair);
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
    ...(ended.partial === undefined ? {} : { partial: ended.partial }),
    scenario: scenario.scenario,
    pair: market.pair,
    rows: run.rows,
    virtualSeconds: (run.lastRowMicros - ended.startMicros) / 1e6,
    orders: store.orderCount,
    ordersAccepted: port.desk.orderCount,
    fills: fillSums.count,
    makerFills: fillSums.maker,
    takerFills: fillSums.count - fillSums.maker,
    fillsAtExchange: port.desk.trades.count,
    volume: String(fillSums.base),
    turnover: String(fillSums.counter),
    position: formatDecimal(position),
    cash: formatDecimal(cash),
    fees: {
      base: String(fillSums.feeBase),
      counter: String(fillSums.feeCounter),
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
        store.refusalCounts().map(([strategyId, code, times]) => [`${strategyId} ${code}`, times]),
      ),
      exchange: Object.fromEntries([...port.refusals].sort()),
    },
    incidents: Object.fromEntries(store.incidentCounts()),
    tape,
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
  const { tape } = result;
  const table: readonly (readonly [string, string])[] = [
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
    [
      'history changed',
      `${tape.displacedTrades} trades and ${tape.displacedOrders} orders displaced, ${tape.takenOrders} orders taken`,
    ],
    [
      'doubtful',
      `${tape.fillsOutOfQueue} fills out of queue, ${tape.unknownOrders + tape.impossibleRows} rows that do not fit`,
    ],
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
