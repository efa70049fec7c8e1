/** A scenario from its settings to its result: recordings, tape, engine and strategies wired. */
import type { BotSettings } from '../../domain/bot-settings.ts';
import { assert, ConfigError, DecodeError } from '../../domain/errors.ts';
import type { Market } from '../../domain/market.ts';
import { marketOfRules } from '../../domain/market-rules.ts';
import type { Candle } from '../../domain/market-view.ts';
import type { Notice } from '../../domain/notice.ts';
import { nothingRestored } from '../../domain/records.ts';
import type { ScenarioMarket, ScenarioSettings } from '../../domain/scenario-settings.ts';
import { gatherHistory, shortHistoryTexts } from '../../engine/candle-history.ts';
import type { CandleHistory, EngineStart } from '../../engine/engine-start.ts';
import { type DatedRates, ratesAt } from '../../exchange-accounts/fee-schedule.ts';
import type { WarmUp } from '../../strategy/contract.ts';
import { faultText } from '../../strategy/fault-text.ts';
import { type PreparedStrategy, prepareStrategy } from '../../strategy/loader.ts';
import type { CoarseModel } from '../coarse/coarse-data.ts';
import { AccountRecorder } from '../metrics/account-recorder.ts';
import { RunRecorder } from '../metrics/run-recorder.ts';
import { type Alteration, alterBlocks, alterRows } from './altered-flow.ts';
import { type BacktestResult, resultOf } from './backtest-result.ts';
import {
  BacktestRun,
  type BacktestRunOptions,
  type MarketRun,
  type RunMarket,
} from './backtest-run.ts';
import { openCompiledFlows } from './compiled-flow.ts';
import { playMerged } from './merged-flow.ts';
import {
  type PlayedData,
  type PlayedRecording,
  playedDataOf,
  playedRecordingOf,
} from './played-data.ts';
import { openRecordedFlow, snapshotOf } from './recorded-flow.ts';
import { roundTripOf } from './round-trip.ts';

export type BacktestOptions = {
  readonly scenario: ScenarioSettings;
  /** Has a folder for each data set. */
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  /** Hears warnings and alarms; quotes, orders and fills are in the records. */
  readonly onNotice?: (notice: Notice, nowMs: number) => void;
  /** Hears everything that was done, in the recording's time. */
  readonly onRecords?: BacktestRunOptions['onRecords'];
  /** Plays a history that is another one after a moment. */
  readonly alteration?: Alteration | undefined;
  /** Called with the recording's time whenever the run has got a step further. */
  readonly onBeat?: ((nowMicros: number) => void) | undefined;
  /** Called now and then. */
  readonly onProgress?: (progress: BacktestProgress) => void;
};

export type BacktestProgress = {
  /** Played so far. */
  readonly rows: number;
  /** The recording's time. */
  readonly nowMs: number;
  /** Of its time, from 0 to 1; undefined if its end is not known before it comes. */
  readonly share: number | undefined;
};

export type Backtest = {
  readonly result: BacktestResult;
  /** SHA-256 over what the run did, in order, and the result; see {@link RunDigest}. */
  readonly hash: string;
  /** For questions: the store with the rows of orders and fills, the engine, and the tape. */
  readonly run: BacktestRun;
  readonly startMicros: number;
  /** The last row's time, or the scenario's `to` if the recordings go on behind it. */
  readonly endMicros: number;
  /** Beside the result, which is of no machine: which data were played. */
  readonly played: PlayedData;
  /** Of each strategy that was stopped by a fault: which, when and why. */
  readonly stopped: readonly string[];
  /** What was seen of each market at the exchange's side, for a report. */
  readonly recorders: readonly RunRecorder[];
  /** What was seen of several markets together, if they are paid in one currency. */
  readonly account: AccountRecorder | undefined;
};

/**
 * Runs a scenario to the end of its recordings. Throws NotFoundError for a recording that is not
 * there, DecodeError for one that cannot be read at all (damage further on gives a partial result),
 * and ConfigError for strategies or recordings that do not fit.
 */
export async function runBacktest(options: BacktestOptions): Promise<Backtest> {
  const { scenario, dataFolder, strategiesFolder, alteration } = options;
  const plugins = await preparePlugins(scenario, strategiesFolder);
  const history = await openHistory(scenario, dataFolder, alteration);
  try {
    return await runOver(history, plugins, options);
  } finally {
    history.close();
  }
}

async function runOver(
  history: History,
  plugins: ReadonlyMap<string, PreparedStrategy>,
  options: BacktestOptions,
): Promise<Backtest> {
  const { scenario } = options;
  const { latencies, balances, seed, consumedMs } = scenario;
  const { startMicros } = history;
  const markets = history.markets.map(({ market }) => market);
  const candles = await gatherHistory(scenario.strategies, plugins, async (pair, warmUp) => {
    const index = markets.findIndex((market) => market.pair === pair);
    return (await history.candlesBefore[index]?.(warmUp)) ?? [];
  });
  for (const text of shortHistoryTexts(candles, plugins))
    options.onNotice?.({ level: 'warn', topic: 'state', text }, Math.floor(startMicros / 1000));
  const run = new BacktestRun({
    start: {
      ...startOf(scenario, markets, startMicros, candles),
      records: options.onRecords === undefined ? 'results' : 'all',
    },
    plugins,
    exchange: {
      ...{ balances, latencies, seed },
      onOrders: (atMicros) => {
        for (const recorder of recorders)
          if (recorder.noteOrders(atMicros)) account?.note(atMicros);
      },
    },
    markets: history.markets.map(({ coarse, recordings: _, ...one }, index) => {
      const { createFillModel } = coarse ?? {};
      return {
        ...one,
        rates: ratesOf(scenario.markets[index] as ScenarioMarket),
        createFillModel,
        ...(consumedMs && { consumedMicros: consumedMs * 1_000 }),
      };
    }),
    onNotice: options.onNotice ?? (() => {}),
    onRow: (row, { index }) => {
      if (recorders[index]?.noteRow(row) === true) account?.note(row.atMicros);
    },
    onRecords: options.onRecords,
    onStep: options.onBeat,
  });
  const recorders = run.marketRuns.map(
    ({ feed }) => new RunRecorder(feed.accountMarket, startMicros),
  );
  const counters = new Set(markets.map(({ counter }) => counter));
  const [counter] = counters;
  const account =
    markets.length > 1 && counters.size === 1 && counter !== undefined
      ? new AccountRecorder(recorders, counter, startMicros)
      : undefined;
  options.onBeat?.(run.nowMicros);
  run.start();
  const damage = await playAll(history, run, options);
  const { lastRowMicros } = run;
  const endMicros = damage === undefined ? history.endMicros(lastRowMicros) : lastRowMicros;
  run.endAt(endMicros);
  for (const recorder of recorders) recorder.finish(endMicros);
  account?.finish(endMicros);
  const openOrders = run.stop();
  const coarse = history.markets.map((one) => one.coarse);
  const stopped = [...run.engine.strategies.faults.values()].map(faultText);
  const partial = [...(damage === undefined ? [] : [damage]), ...stopped].join('; ') || undefined;
  const result = resultOf(run, scenario, {
    ...{ startMicros, endMicros, openOrders, partial, coarse, recorders },
  });
  const files = history.markets.map(({ recordings }) => recordings);
  const played = playedDataOf(scenario, files, { startMicros, endMicros });
  const hash = run.digest(result);
  return { result, hash, run, startMicros, endMicros, played, stopped, recorders, account };
}

/** History as a run plays it, whatever kind of files it comes from. */
type History = {
  readonly startMicros: number;
  /** The latest possible end; undefined if it is known only when history ends. */
  readonly latestMicros: number | undefined;
  readonly endMicros: (lastRowMicros: number) => number;
  /** In the order of the scenario's. */
  readonly markets: readonly (Pick<RunMarket, 'market' | 'snapshot' | 'book'> & {
    /** Decides fills if it is not order by order. */
    readonly coarse: CoarseModel | undefined;
    readonly recordings: readonly PlayedRecording[];
  })[];
  /** Plays it batch by batch. */
  readonly play: (run: BacktestRun) => AsyncGenerator<void, void>;
  /** What a market's recordings hold of before the run, in the place of that market. */
  readonly candlesBefore: readonly ((asked: WarmUp) => Promise<readonly Candle[]>)[];
  readonly close: () => void;
};

/**
 * Opens what a scenario plays. Throws as {@link runBacktest} does for recordings that are not
 * there, cannot be read where they begin, or do not fit.
 */
export async function openHistory(
  scenario: ScenarioSettings,
  dataFolder: string,
  alteration?: Alteration,
): Promise<History> {
  const history = await openRecordings(scenario, dataFolder, alteration);
  try {
    checkMarkets(
      scenario,
      history.markets.map(({ market }) => market),
    );
    return history;
  } catch (error) {
    history.close();
    throw error;
  }
}

async function openRecordings(
  scenario: ScenarioSettings,
  dataFolder: string,
  alteration: Alteration | undefined,
): Promise<History> {
  const [first] = scenario.markets;
  if (first?.data.kind === 'order-flow-ndjson') {
    const market = marketOfRules(first.pair, first.rules);
    assert(market !== undefined, `the rules of ${first.pair} must have been checked`);
    const { data } = first;
    const flow = await openRecordedFlow({ ...scenario, data, market }, dataFolder);
    return {
      startMicros: flow.startMicros,
      latestMicros: scenario.toMs && scenario.toMs * 1000,
      endMicros: flow.endMicros,
      markets: [
        {
          ...{ market, book: flow.start, snapshot: snapshotOf(flow, market), coarse: undefined },
          recordings: [flow.recording],
        },
      ],
      async *play(run) {
        const { batches } = flow;
        const played = alteration === undefined ? batches : alterRows(batches, alteration);
        for await (const rows of played) yield run.play(run.marketRuns[0] as MarketRun, rows);
      },
      candlesBefore: [async () => []],
      close: () => {},
    };
  }
  const flows = await openCompiledFlows(scenario, dataFolder);
  const markets = flows.map(({ market, resting: book, coarse, recordings }) => ({
    ...{ market, book, coarse },
    recordings: recordings.map(playedRecordingOf),
    snapshot: undefined,
  }));
  // They begin together, so that each is the first.
  const startMicros = flows[0]?.startMicros ?? 0;
  const latestMicros = Math.max(...flows.map(({ endMicros }) => endMicros));
  return {
    startMicros,
    candlesBefore: flows.map(
      ({ candlesBefore }) =>
        (asked) =>
          candlesBefore(startMicros, asked),
    ),
    latestMicros,
    endMicros: (lastRowMicros) => Math.max(latestMicros, lastRowMicros),
    markets,
    play: (run) =>
      playMerged(
        run,
        flows.map(({ blocks }, index) => {
          const { accountMarket } = (run.marketRuns[index] as MarketRun).feed;
          const played = blocks(accountMarket.fillModel.book);
          return alteration === undefined ? played : alterBlocks(played, alteration);
        }),
      ),
    close: () => {
      for (const { close } of flows) close();
    },
  };
}

/** The account has the currencies of all markets and no others; so have strategies their pairs. */
function checkMarkets(
  { scenario, balances, strategies }: ScenarioSettings,
  markets: readonly Market[],
): void {
  for (const { pair, base, counter } of markets)
    for (const currency of [base, counter])
      if (!Object.hasOwn(balances, currency))
        throw new ConfigError(
          `scenario ${scenario}: balances lacks ${currency}, a currency of ${pair}; give it, also if it is "0"`,
        );
  const currencies = [...new Set(markets.flatMap(({ base, counter }) => [base, counter]))];
  // The ledger of another would be asked for out of the same call budget.
  for (const [currency, amount] of Object.entries(balances))
    if (!currencies.includes(currency))
      throw new ConfigError(
        `scenario ${scenario}: balances.${currency} was "${amount}", in a currency of no market; allowed: ${currencies.join(', ')}`,
      );
  const pairs = markets.map(({ pair }) => pair);
  for (const { id, pairs: wanted } of strategies)
    for (const pair of wanted)
      if (!pairs.includes(pair))
        throw new ConfigError(
          `scenario ${scenario}: strategy ${id} trades ${pair}, of which there is no recording; the scenario has ${pairs.join(', ')}`,
        );
}

/** Plays history to its end; returns why it ended early, if it did. */
async function playAll(
  history: History,
  run: BacktestRun,
  { onProgress, onBeat }: BacktestOptions,
): Promise<string | undefined> {
  try {
    for await (const _ of history.play(run)) {
      onBeat?.(run.nowMicros);
      onProgress?.({
        rows: run.rows,
        nowMs: Math.floor(run.nowMicros / 1000),
        share: shareOf(history, run.nowMicros),
      });
    }
    return undefined;
  } catch (error) {
    // What was played before the damage is right, and says so far how far it went.
    if (error instanceof DecodeError && run.rows > 0) return error.message;
    throw error;
  }
}

function shareOf({ startMicros, latestMicros }: History, nowMicros: number): number | undefined {
  if (latestMicros === undefined || latestMicros <= startMicros) return undefined;
  return Math.min(1, Math.max(0, (nowMicros - startMicros) / (latestMicros - startMicros)));
}

async function preparePlugins(
  scenario: ScenarioSettings,
  folder: string,
): Promise<ReadonlyMap<string, PreparedStrategy>> {
  const plugins = new Map<string, PreparedStrategy>();
  for (const settings of scenario.strategies)
    plugins.set(settings.id, await prepareStrategy({ folder, settings }));
  return plugins;
}

/** Returns a market's fees, in order of time. */
export function ratesOf({
  fees,
  feesLater,
}: Pick<ScenarioMarket, 'fees' | 'feesLater'>): DatedRates[] {
  return [{ ...fees, fromMs: 0 }, ...feesLater];
}

/** Returns what the engine of a scenario starts from, with its markets in their order. */
export function startOf(
  scenario: ScenarioSettings,
  markets: readonly Market[],
  startedMicros: number,
  history: readonly CandleHistory[] = [],
): EngineStart {
  const { bot, namespace, strategies, limits, hash } = scenario;
  const settings: BotSettings = {
    bot,
    // The nearest of a bot's modes: orders go to the tape. The environment says what it is.
    mode: 'paper',
    venue: 'tape',
    store: '',
    namespace,
    accounts: Object.fromEntries(
      Object.keys(scenario.balances).map((currency, index) => [currency, String(index + 1)]),
    ),
    strategies,
    limits,
    hash,
  };
  return {
    settings,
    environment: {
      mode: 'backtest',
      ordersGoTo: 'tape',
      liveFlag: false,
      keyFingerprint: undefined,
      keyFingerprintAllowed: undefined,
    },
    markets: markets.map((market, index) => {
      const rates = ratesOf(scenario.markets[index] as ScenarioMarket);
      const { maker, taker } = ratesAt(rates, Math.floor(startedMicros / 1000));
      return { market, makerFee: maker, takerFee: taker, lastTrade: undefined };
    }),
    restored: nothingRestored,
    // Nothing has to survive: the results leave the memory at the end.
    storeDurable: true,
    lockHeld: true,
    seed: scenario.seed,
    startedMicros,
    ...(history.length === 0 ? {} : { history }),
    tellsInfo: false,
    numbersOrderIds: true,
    ...(scenario.callLimit === 'exchange' ? {} : { callLimit: scenario.callLimit }),
    ...roundTripOf(scenario.latencies),
    reconcile: false,
  };
}
