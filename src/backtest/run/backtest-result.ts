/** The result of a backtest: figures that depend only on the scenario and its recordings. */
import { type Amount, amountOf, formatAmount } from '../../domain/amount.ts';
import { assert } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { Decimal, decimalOf, formatDecimal } from '../../domain/money.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { baseOf, counterOf, profitOf } from '../../execution/fills/positions.ts';
import type { AccountMarket } from '../../replay-exchange/account/account-market.ts';
import type { ReplayCounts } from '../../replay-exchange/fill-models/replay-counts.ts';
import type { ReplayExchange } from '../../replay-exchange/port/replay-exchange.ts';
import type { CoarseDataReport, CoarseModel } from '../coarse/coarse-data.ts';
import type { RunRecorder } from '../metrics/run-recorder.ts';
import type { BacktestRun } from './backtest-run.ts';
import type { MarketRun } from './market-run.ts';
import { type StrategyResult, strategyResultsOf } from './strategy-results.ts';

type HistoryFigures = Omit<ReplayCounts, 'rows' | 'makerFills' | 'takerFills'>;

/**
 * The figures of one market, or of several together. Amounts are decimal strings; null if there is
 * no mid to value a position, or if several markets do not share a currency.
 */
type MarketFigures = {
  readonly rows: number;
  readonly ordersAccepted: number;
  readonly fills: number;
  readonly makerFills: number;
  readonly takerFills: number;
  readonly fillsAtExchange: number;
  /** The traded volume in base and counter currency. */
  readonly volume: string | null;
  readonly turnover: string | null;
  /** Gained since the start, after fees. */
  readonly position: string | null;
  readonly cash: string | null;
  readonly fees: { readonly base: string | null; readonly counter: string | null };
  /** The last mid, at which the position is valued. */
  readonly mid: string | null;
  readonly profit: string | null;
  /** The gain according to the exchange's ledger minus the gain according to our fills. */
  readonly positionDifference: string | null;
  readonly balanceDifference: string | null;
  /**
   * How often history and our orders contradict each other, and how many rows were inconsistent.
   * Only for order-by-order history.
   */
  readonly history?: HistoryFigures;
  /** Present if the recording has gaps: what happened to our orders that rested during them. */
  readonly gaps?: { readonly count: number; readonly kept: number; readonly wentBehind: number };
};

export type MarketResult = { readonly pair: string } & MarketFigures;

export type BacktestResult = MarketFigures & {
  /** Present with one market whose recording holds trades or candles: how fills were decided. */
  readonly coarseData?: CoarseDataReport;
  /** The same for several markets, by pair: those whose recording holds trades or candles. */
  readonly coarseDataByPair?: Readonly<Record<string, CoarseDataReport>>;
  /** Present if a recording could not be read to its end or a strategy was stopped: the reason. */
  readonly partial?: string;
  /** Present if strategies finished their task: when and why, by strategy. */
  readonly done?: Readonly<Record<string, { readonly atMs: number; readonly reason: string }>>;
  readonly scenario: string;
  /** All pairs, separated by commas. */
  readonly pair: string;
  readonly virtualSeconds: number;
  /** The number of orders that the gate approved. */
  readonly orders: number;
  readonly openOrdersAtExit: number;
  /** By code. A request that the gate keeps refusing for the same reason counts once. */
  readonly refusals: {
    readonly gate: Readonly<Record<string, number>>;
    readonly exchange: Readonly<Record<string, number>>;
  };
  readonly incidents: Readonly<Record<string, number>>;
  /** Present if there are several strategies: the figures of each in each market. */
  readonly strategies?: readonly StrategyResult[];
  /** Present if there are several markets, sorted by pair. */
  readonly markets?: readonly MarketResult[];
  /** With several markets, by currency: the account's gain minus the gain of our fills. */
  readonly accountDifferences?: Readonly<Record<string, string>>;
};

export function resultOf(
  run: BacktestRun,
  scenario: ScenarioSettings,
  ended: {
    readonly startMicros: number;
    readonly endMicros: number;
    readonly openOrders: number;
    readonly partial?: string | undefined;
    /** One entry for each market, in the order of the run; likewise the recorders. */
    readonly coarse: readonly (CoarseModel | undefined)[];
    readonly recorders: readonly Pick<RunRecorder, 'lastMid2'>[];
  },
): BacktestResult {
  const { store, port, engine } = run;
  const { done } = engine.strategies.ends;
  const markets = run.marketRuns.map((marketRun) =>
    marketResultOf(run, marketRun, ended.recorders[marketRun.index]?.lastMid2),
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
  const { history, gaps, fees, ...amounts } = rest;
  return {
    ...coarseDataReportsOf(
      markets.map(({ pair }) => pair),
      ended.coarse,
    ),
    ...(ended.partial === undefined ? {} : { partial: ended.partial }),
    ...(done.size === 0 ? {} : { done: Object.fromEntries(done) }),
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
    ...(history === undefined ? {} : { history }),
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

/** Returns the refusals of order and cancel requests together, sorted by code. */
function exchangeRefusalsOf({
  place,
  cancel,
}: ReplayExchange['refusals']): Readonly<Record<string, number>> {
  const counts = new Map(place);
  for (const [code, times] of cancel) counts.set(code, (counts.get(code) ?? 0) + times);
  return Object.fromEntries([...counts].sort());
}

function coarseDataReportsOf(
  pairs: readonly string[],
  coarse: readonly (CoarseModel | undefined)[],
): Pick<BacktestResult, 'coarseData' | 'coarseDataByPair'> {
  const reports = coarse.flatMap((model, index) =>
    model === undefined ? [] : [[pairs[index] as string, model.report] as const],
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
  lastMid2: number | undefined,
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
  const { base, counter } = accountMarket.gained;
  return {
    pair,
    rows,
    ordersAccepted: accountMarket.orderCount,
    fills: sums.count,
    makerFills: sums.maker,
    takerFills: sums.count - sums.maker,
    fillsAtExchange: accountMarket.trades.count,
    volume: formatAmount(sums.base),
    turnover: formatAmount(sums.counter),
    position: formatAmount(position),
    cash: formatAmount(cash),
    fees: { base: formatAmount(sums.feeBase), counter: formatAmount(sums.feeCounter) },
    mid: mid === undefined ? null : formatDecimal(mid),
    profit:
      mid === undefined
        ? null
        : formatDecimal(sum(holdings.map((holding) => profitOf(holding, mid).profit))),
    positionDifference: formatAmount(base - position),
    balanceDifference: formatAmount(counter - cash),
    ...orderFiguresOf(accountMarket.replay),
  };
}

/** Returns what only order-by-order history has: contradictions, and places across gaps. */
function orderFiguresOf({
  history,
  counts,
}: AccountMarket['replay']): Pick<MarketResult, 'history' | 'gaps'> {
  if (history.kind !== 'orders') return {};
  const { rows: _rows, makerFills: _maker, takerFills: _taker, ...figures } = counts;
  const { count, kept, wentBehind } = history.gaps;
  return {
    history: figures,
    ...(count === 0 ? {} : { gaps: { count, kept, wentBehind } }),
  };
}

/** Returns the totals of all markets: counts, and amounts if they have the same currency. */
function togetherOf(results: readonly MarketResult[], markets: readonly Market[]): MarketFigures {
  const hasOneBase = new Set(markets.map(({ base }) => base)).size === 1;
  const hasOneCounter = new Set(markets.map(({ counter }) => counter)).size === 1;
  const added = (
    hasOneCurrency: boolean,
    pick: (result: MarketResult) => string | null,
  ): string | null => {
    const amounts = results.map(pick).filter((amount) => amount !== null);
    const isComplete = hasOneCurrency && amounts.length === results.length;
    return isComplete ? formatDecimal(sum(amounts.map(decimalOf))) : null;
  };
  const counted = (pick: (result: MarketResult) => number): number =>
    results.reduce((total, result) => total + pick(result), 0);
  const histories = results
    .map(({ history }) => history)
    .filter((history) => history !== undefined);
  const history = { ...(histories[0] as HistoryFigures) };
  for (const name of Object.keys(history) as (keyof HistoryFigures)[])
    history[name] = histories.reduce((total, one) => total + one[name], 0);
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
    ...(histories.length < results.length ? {} : { history }),
    ...(gaps.count === 0 ? {} : { gaps }),
  };
}

/** Returns the account's gain minus the gain according to all fills, by currency. */
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
