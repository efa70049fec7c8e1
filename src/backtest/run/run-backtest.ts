/** Runs a scenario: connects recordings, replay exchange, engine and strategies. */
import { DecodeError } from '../../domain/errors.ts';
import type { Notice } from '../../domain/notice.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import { runCodeOf } from '../../runtime/running-code.ts';
import { faultText } from '../../strategy/fault-text.ts';
import { type PreparedStrategy, prepareStrategy } from '../../strategy/loader.ts';
import type { CoarseModel } from '../coarse/coarse-data.ts';
import { AccountRecorder } from '../metrics/account-recorder.ts';
import { LimitPeaks } from '../metrics/limit-peaks.ts';
import { RunRecorder } from '../metrics/run-recorder.ts';
import type { Alteration } from './altered-flow.ts';
import { type BacktestResult, resultOf } from './backtest-result.ts';
import { BacktestRun } from './backtest-run.ts';
import type { BacktestRunOptions } from './backtest-run-options.ts';
import { type History, openHistory } from './open-history.ts';
import { type PlayedData, playedDataOf } from './played-data.ts';
import { runOptionsOf } from './run-options.ts';

export type BacktestOptions = {
  readonly scenario: ScenarioSettings;
  /** Contains a folder for each data set. */
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  /** Called with warnings and alarms; quotes, orders and fills are in the records. */
  readonly onNotice?: (notice: Notice, nowMs: number) => void;
  /** Called with the records of each step, in the time of the recordings. */
  readonly onRecords?: BacktestRunOptions['onRecords'];
  /** Plays an altered history, to check for look-ahead. */
  readonly alteration?: Alteration | undefined;
  /** Gives strategies this many times the candles that they ask for from before the run; 1. */
  readonly historyTimes?: number;
  /** Called after each step, with the time in the recordings. */
  readonly onHeartbeat?: ((nowMicros: number) => void) | undefined;
  /** Called after each block of rows. */
  readonly onProgress?: (progress: BacktestProgress) => void;
};

export type BacktestProgress = {
  readonly rows: number;
  /** The time in the recordings. */
  readonly nowMs: number;
  /** The played share of the time, 0 to 1; undefined if the end is not known in advance. */
  readonly share: number | undefined;
};

export type Backtest = {
  readonly result: BacktestResult;
  /** SHA-256 over the run's actions, in order, and the result; see {@link RunDigest}. */
  readonly hash: string;
  /** For reading only: the store with rows of orders and fills, the engine, the replay exchange. */
  readonly run: BacktestRun;
  readonly startMicros: number;
  /** The last row's time, or the scenario's `to` if the recordings continue beyond it. */
  readonly endMicros: number;
  /** Which data were played. Not in the result, which is the same on every machine. */
  readonly played: PlayedData;
  /** For each strategy that a fault stopped: which, when and why. */
  readonly stopped: readonly string[];
  /** How many candles of before the run strategies were given, of all their pairs. */
  readonly historyCandles: number;
  /** At the end of the recordings: why strategies wanted no orders. */
  readonly idleReasons: readonly string[];
  readonly recorders: readonly RunRecorder[];
  /** The recorder of all markets together, if there are several with the same counter currency. */
  readonly account: AccountRecorder | undefined;
  /** Of each market: how coarse data were played; undefined for order-by-order history. */
  readonly coarse: readonly (CoarseModel | undefined)[];
};

/**
 * Runs a scenario to the end of its recordings. Throws NotFoundError for a missing recording,
 * DecodeError for one that is damaged at its beginning (later damage gives a partial result), and
 * ConfigError for strategies or recordings that do not match the scenario.
 */
export async function runBacktest(options: BacktestOptions): Promise<Backtest> {
  const { scenario, strategiesFolder } = options;
  return playBacktest(await preparePlugins(scenario, strategiesFolder), options);
}

export type PreparedBacktestOptions = Omit<BacktestOptions, 'strategiesFolder'>;

/** As {@link runBacktest} with plugins that are loaded already, by the ids of the strategies. */
export async function playBacktest(
  plugins: ReadonlyMap<string, PreparedStrategy>,
  options: PreparedBacktestOptions,
): Promise<Backtest> {
  const { scenario, dataFolder, alteration } = options;
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
  options: PreparedBacktestOptions,
): Promise<Backtest> {
  const { scenario } = options;
  const { startMicros } = history;
  const markets = history.markets.map(({ market }) => market);
  const common = await runOptionsOf(history, plugins, options);
  const run = new BacktestRun({
    ...common,
    start: { ...common.start, records: options.onRecords === undefined ? 'results' : 'all' },
    exchange: {
      ...common.exchange,
      onOrders: (atMicros) => {
        for (const recorder of recorders)
          if (recorder.noteOrders(atMicros)) account?.note(atMicros);
      },
    },
    onRow: (row, { index }) => {
      if (recorders[index]?.noteRow(row) === true) account?.note(row.atMicros);
    },
    onRecords: options.onRecords,
    onStep: options.onHeartbeat,
  });
  const { engine, store } = run;
  const { exposure } = engine.orders.context;
  store.limits = new LimitPeaks(scenario, exposure, (pair) => engine.markets.get(pair)?.mid2);
  const recorders = run.marketRuns.map(
    ({ feed }) => new RunRecorder(feed.accountMarket, startMicros),
  );
  const counters = new Set(markets.map(({ counter }) => counter));
  const [counter] = counters;
  const account =
    markets.length > 1 && counters.size === 1 && counter !== undefined
      ? new AccountRecorder(recorders, counter, startMicros)
      : undefined;
  options.onHeartbeat?.(run.nowMicros);
  run.start();
  const damage = await playAll(history, run, options);
  const { lastRowMicros } = run;
  const endMicros = damage === undefined ? history.endMicros(lastRowMicros) : lastRowMicros;
  run.endAt(endMicros);
  for (const recorder of recorders) recorder.finish(endMicros);
  account?.finish(endMicros);
  // A stopped bot no longer knows what it wanted.
  const { idleReasons } = run.engine.parts.trading;
  const openOrders = run.stop();
  run.store.noteMoves(run.engine.waits.moves);
  const coarse = history.markets.map((one) => one.coarse);
  const stopped = [...run.engine.strategies.faults.values()].map(faultText);
  const partial = [...(damage === undefined ? [] : [damage]), ...stopped].join('; ') || undefined;
  const result = resultOf(run, scenario, {
    ...{ startMicros, endMicros, openOrders, partial, coarse, recorders },
  });
  const files = history.markets.map(({ recordings }) => recordings);
  const played = playedDataOf(scenario, files, { startMicros, endMicros });
  const hash = run.digest(result);
  const { history: given = [] } = common.start;
  const ended = {
    historyCandles: given.reduce((sum, { candles }) => sum + candles.length, 0),
    startMicros,
    endMicros,
    played,
    stopped,
    recorders,
    account,
    coarse,
    idleReasons,
  };
  return { result, hash, run, ...ended };
}

/** Plays history to its end; returns the reason if it ended early. */
async function playAll(
  history: History,
  run: BacktestRun,
  { onProgress, onHeartbeat }: PreparedBacktestOptions,
): Promise<string | undefined> {
  try {
    const report = (): void => {
      onHeartbeat?.(run.nowMicros);
      onProgress?.({
        rows: run.rows,
        nowMs: Math.floor(run.nowMicros / 1000),
        share: shareOf(history, run.nowMicros),
      });
    };
    // Declared as ours: the clock of a caller would otherwise be searched for a plugin's call.
    for await (const _ of history.play(run)) runCodeOf('millrace', report);
    return undefined;
  } catch (error) {
    // The figures up to the damage are correct; a caution states how far the run got.
    if (error instanceof DecodeError && run.rows > 0) return error.message;
    throw error;
  }
}

function shareOf({ startMicros, latestMicros }: History, nowMicros: number): number | undefined {
  if (latestMicros === Infinity || latestMicros <= startMicros) return undefined;
  return Math.min(1, Math.max(0, (nowMicros - startMicros) / (latestMicros - startMicros)));
}

async function preparePlugins(
  scenario: ScenarioSettings,
  folder: string,
): Promise<ReadonlyMap<string, PreparedStrategy>> {
  const plugins = new Map<string, PreparedStrategy>();
  for (const settings of scenario.strategies)
    plugins.set(
      settings.id,
      await prepareStrategy({ folder, from: scenario.pluginsFrom, settings }),
    );
  return plugins;
}
