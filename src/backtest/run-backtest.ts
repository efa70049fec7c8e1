/** A scenario from its settings to its result: recording, tape, engine and strategies wired. */
import type { BotSettings } from '../domain/bot-settings.ts';
import { ConfigError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { nothingRestored } from '../domain/records.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import type { EngineStart } from '../engine/engine-start.ts';
import { type PreparedStrategy, prepareStrategy } from '../strategy/loader.ts';
import { type BacktestResult, resultOf } from './backtest-result.ts';
import { BacktestRun } from './backtest-run.ts';
import { openRecordedFlow, snapshotOf } from './recorded-flow.ts';
import { RunRecorder } from './report/run-recorder.ts';

export type BacktestOptions = {
  readonly scenario: ScenarioSettings;
  /** Has a folder for each data set. */
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  readonly onNotice?: (notice: Notice, nowMs: number) => void;
  /** Called now and then with the rows so far and the recording's time. */
  readonly onProgress?: (rows: number, nowMs: number) => void;
};

export type Backtest = {
  readonly result: BacktestResult;
  /** SHA-256 over every record of the run, in order, and the result. */
  readonly hash: string;
  /** For questions: the store with all orders and fills, the engine, and the tape. */
  readonly run: BacktestRun;
  /** What was seen of it at the exchange's side, for a report. */
  readonly recorder: RunRecorder;
};

/**
 * Runs a scenario to the end of its recording. Throws NotFoundError for a recording that is not
 * there, DecodeError for one that cannot be read, ConfigError for strategies that do not fit.
 */
export async function runBacktest(options: BacktestOptions): Promise<Backtest> {
  const { scenario, dataFolder, strategiesFolder } = options;
  const { market, fees, latencies } = scenario;
  const plugins = await preparePlugins(scenario, strategiesFolder);
  const flow = await openRecordedFlow(scenario, dataFolder);
  const run = new BacktestRun({
    start: startOf(scenario, flow.startMicros),
    plugins,
    tape: {
      market,
      rates: [{ ...fees, fromMs: 0 }, ...scenario.feesLater],
      ...(scenario.consumedMs === undefined ? {} : { consumedMicros: scenario.consumedMs * 1_000 }),
      balances: scenario.balances,
      latencies,
      seed: scenario.seed,
      snapshot: snapshotOf(flow, market),
    },
    book: flow.start,
    onNotice: options.onNotice ?? (() => {}),
    onRow: (row) => recorder.noteRow(row),
  });
  const recorder = new RunRecorder({
    desk: run.port.desk,
    startMicros: flow.startMicros,
    strategyOf: (clientOrderId) =>
      run.store.reports.findOrder({ clientOrderId })?.strategyId ?? 'unknown',
  });
  run.start();
  for await (const rows of flow.batches) {
    run.play(rows);
    options.onProgress?.(run.rows, Math.floor(run.nowMicros / 1000));
  }
  const openOrders = run.finish();
  recorder.finish(run.nowMicros);
  const result = resultOf(run, scenario, { startMicros: flow.startMicros, openOrders });
  return { result, hash: run.digest(result), run, recorder };
}

async function preparePlugins(
  scenario: ScenarioSettings,
  folder: string,
): Promise<ReadonlyMap<string, PreparedStrategy>> {
  const plugins = new Map<string, PreparedStrategy>();
  for (const settings of scenario.strategies) {
    const plugin = await prepareStrategy({ folder, settings });
    if (plugin.warmUp !== undefined && plugin.warmUp.candles > 0)
      throw new ConfigError(
        `strategies.${settings.id}: ${settings.plugin} asks for ${plugin.warmUp.candles} candles of history, which a recording does not have`,
      );
    plugins.set(settings.id, plugin);
  }
  return plugins;
}

function startOf(scenario: ScenarioSettings, startedMicros: number): EngineStart {
  const { bot, namespace, strategies, limits, hash, market, fees } = scenario;
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
    markets: [{ market, makerFee: fees.maker, takerFee: fees.taker, lastTrade: undefined }],
    restored: nothingRestored,
    // Nothing has to survive: the results leave the memory at the end.
    storeDurable: true,
    lockHeld: true,
    seed: scenario.seed,
    startedMicros,
    reconcile: false,
  };
}
