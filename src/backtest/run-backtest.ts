/** A scenario from its settings to its result: recording, tape, engine and strategies wired. */

import type { BookSnapshot } from '../domain/book-message.ts';
import type { BotSettings } from '../domain/bot-settings.ts';
import { ConfigError, DecodeError } from '../domain/errors.ts';
import type { Notice } from '../domain/notice.ts';
import { nothingRestored } from '../domain/records.ts';
import type { ScenarioSettings } from '../domain/scenario-settings.ts';
import type { EngineStart } from '../engine/engine-start.ts';
import { type PreparedStrategy, prepareStrategy } from '../strategy/loader.ts';
import { type BacktestResult, resultOf } from './backtest-result.ts';
import { BacktestRun, type BacktestRunOptions } from './backtest-run.ts';
import { type Alteration, alterBlocks, alterRows } from './check/altered-flow.ts';
import { openCompiledFlow } from './compiled-flow.ts';
import type { LowerModel } from './lower/lower-grade.ts';
import { openRecordedFlow, snapshotOf } from './recorded-flow.ts';
import { RunRecorder } from './report/run-recorder.ts';

export type BacktestOptions = {
  readonly scenario: ScenarioSettings;
  /** Has a folder for each data set. */
  readonly dataFolder: string;
  readonly strategiesFolder: string;
  readonly onNotice?: (notice: Notice, nowMs: number) => void;
  /** Hears everything that was done, in the recording's time. */
  readonly onRecords?: BacktestRunOptions['onRecords'];
  /** Plays a history that is another one after a moment. */
  readonly alteration?: Alteration | undefined;
  /** Called now and then with the rows so far and the recording's time. */
  readonly onProgress?: (rows: number, nowMs: number) => void;
};

export type Backtest = {
  readonly result: BacktestResult;
  /** SHA-256 over every record of the run, in order, and the result. */
  readonly hash: string;
  /** For questions: the store with all orders and fills, the engine, and the tape. */
  readonly run: BacktestRun;
  readonly startMicros: number;
  /** What was seen of it at the exchange's side, for a report. */
  readonly recorder: RunRecorder;
};

/**
 * Runs a scenario to the end of its recording. Throws NotFoundError for a recording that is not
 * there, DecodeError for one that cannot be read at all (one that is damaged further on gives a
 * partial result), ConfigError for strategies that do not fit.
 */
export async function runBacktest(options: BacktestOptions): Promise<Backtest> {
  const { scenario, dataFolder, strategiesFolder } = options;
  const { market, fees, latencies } = scenario;
  const plugins = await preparePlugins(scenario, strategiesFolder);
  const history = await openHistory(scenario, dataFolder, options.alteration);
  const run = new BacktestRun({
    start: startOf(scenario, history.startMicros),
    plugins,
    tape: {
      market,
      rates: [{ ...fees, fromMs: 0 }, ...scenario.feesLater],
      ...(scenario.consumedMs === undefined ? {} : { consumedMicros: scenario.consumedMs * 1_000 }),
      balances: scenario.balances,
      latencies,
      seed: scenario.seed,
      snapshot: history.snapshot,
      createTape: history.lower?.createTape,
      // Rows of a lower grade are far apart; our orders change in between.
      ...(history.lower === undefined
        ? {}
        : { onAnswered: (atMicros: number) => recorder.noteOrders(atMicros) }),
    },
    book: history.book,
    onNotice: options.onNotice ?? (() => {}),
    onRow: (row) => recorder.noteRow(row),
    onRecords: options.onRecords,
  });
  const recorder = new RunRecorder({
    desk: run.port.desk,
    startMicros: history.startMicros,
    strategyOf: (clientOrderId) =>
      run.store.reports.findOrder({ clientOrderId })?.strategyId ?? 'unknown',
  });
  run.start();
  const partial = await playAll(history, run, options);
  history.close();
  const openOrders = run.finish();
  recorder.finish(run.nowMicros);
  const result = resultOf(run, scenario, {
    startMicros: history.startMicros,
    openOrders,
    partial,
    lower: history.lower,
  });
  const { startMicros } = history;
  return { result, hash: run.digest(result), run, startMicros, recorder };
}

/** History as a run plays it, whatever kind of file it comes from. */
type History = {
  readonly startMicros: number;
  readonly book: BacktestRunOptions['book'];
  readonly snapshot: BookSnapshot | undefined;
  /** Decides fills if it is not order by order. */
  readonly lower?: LowerModel | undefined;
  /** Plays it batch by batch. */
  readonly play: (run: BacktestRun) => AsyncGenerator<void, void>;
  readonly close: () => void;
};

async function openHistory(
  scenario: ScenarioSettings,
  dataFolder: string,
  alteration: Alteration | undefined,
): Promise<History> {
  const { data } = scenario;
  if (data.kind === 'recording') {
    const flow = await openCompiledFlow({ ...scenario, data }, dataFolder);
    return {
      startMicros: flow.startMicros,
      book: flow.resting,
      snapshot: undefined,
      lower: flow.lower,
      async *play(run) {
        const { blocks } = flow;
        const played = alteration === undefined ? blocks : alterBlocks(blocks, alteration);
        for await (const block of played) yield run.playBlock(block);
      },
      close: () => flow.recording.close(),
    };
  }
  const flow = await openRecordedFlow({ ...scenario, data }, dataFolder);
  return {
    startMicros: flow.startMicros,
    book: flow.start,
    snapshot: snapshotOf(flow, scenario.market),
    async *play(run) {
      const { batches } = flow;
      const played = alteration === undefined ? batches : alterRows(batches, alteration);
      for await (const rows of played) yield run.play(rows);
    },
    close: () => {},
  };
}

/** Plays history to its end; returns why it ended early, if it did. */
async function playAll(
  history: History,
  run: BacktestRun,
  { onProgress }: BacktestOptions,
): Promise<string | undefined> {
  try {
    for await (const _ of history.play(run))
      onProgress?.(run.rows, Math.floor(run.nowMicros / 1000));
    return undefined;
  } catch (error) {
    // What was played before the damage is right, and says so far how far it went.
    if (error instanceof DecodeError && run.rows > 0) return error.message;
    throw error;
  }
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

/** Returns what the engine of a scenario starts from. */
export function startOf(scenario: ScenarioSettings, startedMicros: number): EngineStart {
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
