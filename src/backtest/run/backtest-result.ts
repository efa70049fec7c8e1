/** What a backtest found: figures that follow from the scenario alone, and how fast it ran. */
import { type Amount, amountOf, formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { baseOf, counterOf, profitOf } from '../../execution/fills/positions.ts';
import type { ReplayCounts } from '../../replay-exchange/fill-models/replay-counts.ts';
import type { ReplayExchange } from '../../replay-exchange/port/replay-exchange.ts';
import type { CoarseDataReport, CoarseModel } from '../coarse/coarse-data.ts';
import type { RunRecorder } from '../metrics/run-recorder.ts';
import type { BacktestRun, MarketRun } from './backtest-run.ts';
import { type StrategyResult, strategyResultsOf } from './strategy-results.ts';

type HistoryFigures = Omit<ReplayCounts, 'rows' | 'makerFills' | 'takerFills'>;

/**
 * What was done in one market, or in several together. Amounts are decimal strings; null where
 * there is nothing to value a position with, or where several markets have no currency in common.
 */
type MarketFigures = {
  readonly rows: number;
  readonly ordersAccepted: number;
  readonly fills: number;
  readonly makerFills: number;
  readonly takerFills: number;
  readonly fillsAtExchange: number;
  /** Traded, in the base and the counter currency. */
  readonly volume: string | null;
  readonly turnover: string | null;
  /** Gained since the start, fees taken off. */
  readonly position: string | null;
  readonly cash: string | null;
  readonly fees: { readonly base: string | null; readonly counter: string | null };
  /** The last mid, which values the position. */
  readonly mid: string | null;
  readonly profit: string | null;
  /** What the exchange's books say was gained, less what our fills make of it. */
  readonly positionDifference: string | null;
  readonly balanceDifference: string | null;
  /**
   * How often history and our orders could not both be true, and how well the rows fitted. Only of
   * history order by order: a lower grade cannot know.
   */
  readonly tape?: HistoryFigures;
  /** Only there if the recording has gaps: what became of our orders that rested through them. */
  readonly gaps?: { readonly count: number; readonly kept: number; readonly wentBehind: number };
};

export type MarketResult = { readonly pair: string } & MarketFigures;

export type BacktestResult = MarketFigures & {
  /** Only there if the one market's recording is of trades or candles: how fills were decided. */
  readonly coarseData?: CoarseDataReport;
  /** The same of several markets: by pair, those whose recording is. */
  readonly coarseDataByPair?: Readonly<Record<string, CoarseDataReport>>;
  /** Only there if a recording could not be read to its end, or a strategy was stopped: why. */
  readonly partial?: string;
  readonly scenario: string;
  /** Of several, all of them. */
  readonly pair: string;
  readonly virtualSeconds: number;
  /** Approved by the gate. */
  readonly orders: number;
  readonly openOrdersAtExit: number;
  /** By code: the gate's, each once per standing reason; the exchange's, of orders and stops. */
  readonly refusals: {
    readonly gate: Readonly<Record<string, number>>;
    readonly exchange: Readonly<Record<string, number>>;
  };
  readonly incidents: Readonly<Record<string, number>>;
  /** Only there if there are several strategies: what each has done in each market. */
  readonly strategies?: readonly StrategyResult[];
  /** Only there if there are several markets, in the order of their pairs. */
  readonly markets?: readonly MarketResult[];
  /** With them, by currency: what the account has gained, less what all fills make of it. */
  readonly accountDifferences?: Readonly<Record<string, string>>;
};

/** Returns the figures of a run that is over. */
export function resultOf(
  run: BacktestRun,
  scenario: ScenarioSettings,
  ended: {
    readonly startMicros: number;
    readonly endMicros: number;
    readonly openOrders: number;
    readonly partial?: string | undefined;
    /** Of each market, in the order of the run's; so are the recorders. */
    readonly coarse: readonly (CoarseModel | undefined)[];
    readonly recorders: readonly Pick<RunRecorder, 'lastMid2'>[];
  },
): BacktestResult {
  const { store, port } = run;
  const markets = run.marketRuns.map((marketRun) =>
    marketResultOf(run, marketRun, {
      coarse: ended.coarse[marketRun.index],
      lastMid2: ended.recorders[marketRun.index]?.lastMid2,
    }),
  );
  const [first] = markets;
  assert(first !== undefined, 'a run must have a market');
  const { rows, ...figures } =
    markets.length === 1
      ? first
      : togetherOf(
          markets,
          run.marketRuns.map(({ feed }) => feed.accountMarket.market),
        );
  const { ordersAccepted, mid, profit, positionDifference, balanceDifference, ...rest } = figures;
  const { tape, gaps, fees, ...amounts } = rest;
  return {
    ...coarseDataReportsOf(
      markets.map(({ pair }) => pair),
      ended.coarse,
    ),
    ...(ended.partial === undefined ? {} : { partial: ended.partial }),
    scenario: scenario.scenario,
    pair: markets.map(({ pair }) => pair).join(', '),
    rows,
    virtualSeconds: (ended.endMicros - ended.startMicros) / 1e6,
    orders: store.orderCount,
    ordersAccepted,
    ...amounts,
    ...{ fees, mid, profit, positionDifference, balanceDifference },
    openOrdersAtExit: ended.openOrders,
    refusals: {
      gate: Object.fromEntries(
        store.refusalCounts().map(([strategyId, code, times]) => [`${strategyId} ${code}`, times]),
      ),
      exchange: exchangeRefusalsOf(port.refusals),
    },
    incidents: Object.fromEntries(store.incidentCounts()),
    ...(tape === undefined ? {} : { tape }),
    ...(gaps === undefined ? {} : { gaps }),
    ...(scenario.strategies.length === 1
      ? {}
      : {
          strategies: strategyResultsOf(
            run.engine.fills.positions,
            new Map(markets.map((one) => [one.pair, one.mid])),
          ),
        }),
    ...(markets.length === 1
      ? {}
      : { markets, accountDifferences: accountDifferencesOf(run, scenario) }),
  };
}

/** Of orders and of stops together, by code. */
function exchangeRefusalsOf({
  postorder,
  stoporder,
}: ReplayExchange['refusals']): Readonly<Record<string, number>> {
  const counts = new Map(postorder);
  for (const [code, times] of stoporder) counts.set(code, (counts.get(code) ?? 0) + times);
  return Object.fromEntries([...counts].sort());
}

function coarseDataReportsOf(
  pairs: readonly string[],
  coarse: readonly (CoarseModel | undefined)[],
): Pick<BacktestResult, 'coarseData' | 'coarseDataByPair'> {
  const reports = coarse.flatMap((one, index) =>
    one === undefined ? [] : [[pairs[index] as string, one.report] as const],
  );
  const [only] = reports;
  if (only === undefined) return {};
  return pairs.length === 1
    ? { coarseData: only[1] }
    : { coarseDataByPair: Object.fromEntries(reports) };
}

function marketResultOf(
  { engine, store }: BacktestRun,
  { feed, rows }: MarketRun,
  {
    coarse,
    lastMid2,
  }: { readonly coarse: CoarseModel | undefined; readonly lastMid2: number | undefined },
): MarketResult {
  const { accountMarket, pair } = feed;
  const sums = store.fillSumsOf(pair);
  const holdings = engine.fills.positions
    .entries()
    .filter((entry) => entry.pair === pair)
    .map(({ holding }) => holding);
  const position = sumOf(holdings.map(baseOf));
  const cash = sumOf(holdings.map(counterOf));
  const mid = midOf(lastMid2, accountMarket.market);
  const {
    rows: _rows,
    makerFills: _maker,
    takerFills: _taker,
    ...tape
  } = accountMarket.fillModel.counts;
  const { count, kept, wentBehind } = accountMarket.fillModel.gaps;
  const { base, counter } = accountMarket.gained;
  return {
    pair,
    // Of the recording: a trade or a bar is several rows of what is made of it.
    rows: coarse?.flow.recordedRows ?? rows,
    ordersAccepted: accountMarket.orderCount,
    fills: sums.count,
    makerFills: sums.maker,
    takerFills: sums.count - sums.maker,
    fillsAtExchange: accountMarket.trades.count,
    volume: String(sums.base),
    turnover: String(sums.counter),
    position: formatAmount(position),
    cash: formatAmount(cash),
    fees: { base: String(sums.feeBase), counter: String(sums.feeCounter) },
    mid: mid === undefined ? null : formatDecimal(mid),
    profit:
      mid === undefined
        ? null
        : formatDecimal(sum(holdings.map((holding) => profitOf(holding, mid).profit))),
    positionDifference: formatAmount(base - position),
    balanceDifference: formatAmount(counter - cash),
    ...(coarse === undefined ? { tape } : {}),
    ...(count === 0 ? {} : { gaps: { count, kept, wentBehind } }),
  };
}

/** All markets as one: counts are added, and amounts where they are of one currency. */
function togetherOf(results: readonly MarketResult[], markets: readonly Market[]): MarketFigures {
  const hasOneBase = new Set(markets.map(({ base }) => base)).size === 1;
  const hasOneCounter = new Set(markets.map(({ counter }) => counter)).size === 1;
  const added = (isOneKind: boolean, pick: (one: MarketResult) => string | null): string | null => {
    const amounts = results.map(pick).filter((amount) => amount !== null);
    const isWhole = isOneKind && amounts.length === results.length;
    return isWhole ? formatDecimal(sum(amounts.map(decimalOf))) : null;
  };
  const counted = (pick: (one: MarketResult) => number): number =>
    results.reduce((total, one) => total + pick(one), 0);
  const tapes = results.map(({ tape }) => tape).filter((tape) => tape !== undefined);
  const tape = { ...(tapes[0] as HistoryFigures) };
  for (const name of Object.keys(tape) as (keyof HistoryFigures)[])
    tape[name] = tapes.reduce((total, one) => total + one[name], 0);
  const gaps = {
    count: counted((one) => one.gaps?.count ?? 0),
    kept: counted((one) => one.gaps?.kept ?? 0),
    wentBehind: counted((one) => one.gaps?.wentBehind ?? 0),
  };
  return {
    rows: counted((one) => one.rows),
    ordersAccepted: counted((one) => one.ordersAccepted),
    fills: counted((one) => one.fills),
    makerFills: counted((one) => one.makerFills),
    takerFills: counted((one) => one.takerFills),
    fillsAtExchange: counted((one) => one.fillsAtExchange),
    volume: added(hasOneBase, (one) => one.volume),
    turnover: added(hasOneCounter, (one) => one.turnover),
    position: added(hasOneBase, (one) => one.position),
    cash: added(hasOneCounter, (one) => one.cash),
    fees: {
      base: added(hasOneBase, (one) => one.fees.base),
      counter: added(hasOneCounter, (one) => one.fees.counter),
    },
    mid: null,
    profit: added(hasOneCounter, (one) => one.profit),
    positionDifference: added(hasOneBase, (one) => one.positionDifference),
    balanceDifference: added(hasOneCounter, (one) => one.balanceDifference),
    ...(tapes.length < results.length ? {} : { tape }),
    ...(gaps.count === 0 ? {} : { gaps }),
  };
}

/** The accounts are the holder's, whatever the market: each is held against all fills together. */
function accountDifferencesOf(
  { port, engine }: BacktestRun,
  { balances }: ScenarioSettings,
): Readonly<Record<string, string>> {
  const differences = new Map<string, Amount>();
  const add = (currency: string, amount: Amount): void => {
    differences.set(currency, (differences.get(currency) ?? 0n) + amount);
  };
  for (const { currency, balance } of port.account.accounts.values())
    add(currency, balance - amountOf(balances[currency] ?? '0'));
  for (const { pair, holding } of engine.fills.positions.entries()) {
    const market = port.account.markets.get(pair)?.market;
    if (market === undefined) continue;
    add(market.base, -baseOf(holding));
    add(market.counter, -counterOf(holding));
  }
  return Object.fromEntries(
    [...differences].map(([currency, amount]) => [currency, formatAmount(amount)]),
  );
}

function sumOf(amounts: readonly Amount[]): Amount {
  return amounts.reduce((total, amount) => total + amount, 0n);
}

function sum(amounts: readonly Decimal[]): Decimal {
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0));
}

function midOf(mid2: number | undefined, { priceScale }: Market): Decimal | undefined {
  if (mid2 === undefined) return undefined;
  return new Decimal(mid2).div(2).div(new Decimal(10).pow(priceScale));
}
