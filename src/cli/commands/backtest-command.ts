/** `millrace backtest`: runs a scenario, prints its figures and writes its result files. */

import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import type { AccountRecorder } from '../../backtest/metrics/account-recorder.ts';
import { metricsOf } from '../../backtest/metrics/run-metrics.ts';
import { coarseCautionsOf } from '../../backtest/report/coarse-cautions.ts';
import {
  type ReportedMarket,
  type ReportOptions,
  reportDataOf,
} from '../../backtest/report/report-data.ts';
import { resultLines } from '../../backtest/report/result-lines.ts';
import { runCautionsOf } from '../../backtest/report/run-cautions.ts';
import { tagLines } from '../../backtest/report/tag-rows.ts';
import { ratesOf } from '../../backtest/run/backtest-start.ts';
import type { BacktestStore } from '../../backtest/run/backtest-store.ts';
import { type Backtest, runBacktest } from '../../backtest/run/run-backtest.ts';
import { ambientText, watchAmbient } from '../../bot/guards/nondeterminism-notes.ts';
import { withStrategyGuard } from '../../bot/guards/strategy-guard.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { formatAmount } from '../../domain/amount.ts';
import { isOnlyWatched } from '../../domain/bot-settings.ts';
import { assert } from '../../domain/errors.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { ratesAt } from '../../exchange-accounts/fee-schedule.ts';
import { createClock } from '../../runtime/clock.ts';
import { withHangWatchdog } from '../../runtime/hang-watchdog.ts';
import type { NondeterministicUse } from '../../runtime/nondeterminism-detector.ts';
import { selfContainedPage } from '../../runtime/page-document.ts';
import { isInside } from '../../runtime/paths.ts';
import { type LoadedScenario, loadScenario } from '../../settings/load-scenario.ts';
import type { SetValue } from '../../settings/set-values.ts';
import type { PreparedStrategy } from '../../strategy/loader.ts';
import { writeFileAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import { backtestNoticeLimits, NoticeLimiter } from '../../terminal/notice-limiter.ts';
import type { Output } from '../../terminal/output.ts';
import {
  isStrategyLine,
  PrintedNotices,
  type PrintedText,
} from '../../terminal/printed-notices.ts';
import { findScenario } from '../find-scenario.ts';
import { hangText } from '../hang-text.ts';
import { programVersion } from '../program-version.ts';
import { progressText } from '../progress-line.ts';
import { writeResultFile } from '../result-file.ts';
import { prepareWritableFolder } from '../writable-folder.ts';

export type BacktestCommandOptions = {
  /**
   * The name of a folder in `backtests/`, or the path of a scenario or of a bot's file; undefined
   * uses the settings of the project.
   */
  readonly scenario: string | undefined;
  readonly workspace: Workspace;
  readonly output: Output;
  /** Values instead of those of the files. */
  readonly set?: readonly SetValue[];
  /** How long a strategy may take for one event, in milliseconds. */
  readonly graceMs: number;
};

const progressEveryMicros = { terminal: 200_000, log: 5_000_000 } as const;

/**
 * Runs the scenario; returns the exit code: 0 if it ran, 1 if its recording could not be read to
 * the end, a fault stopped a strategy, its hash is not the expected one, or a strategy used a
 * clock, randomness or I/O. Throws NotFoundError, exit code 4, if the scenario or its recording
 * does not exist.
 */
export async function runBacktestCommand(options: BacktestCommandOptions): Promise<number> {
  const { scenario: name, set = [], workspace, output } = options;
  const { file, botFile } = findScenario(name, workspace);
  const loaded = loadScenario(file, botFile, set);
  const { source: _source, notices: keyNotices, ...scenario } = loaded;
  for (const text of keyNotices) output.line(`! ${text}`);
  const resultsFolder = resultsFolderOf(botFile ?? file, workspace);
  const run = await runScenario(options, { loaded, scenario, resultsFolder });
  const { backtest, plugins, ambient, printed, wallSeconds } = run;
  const { result, hash, played } = backtest;
  const { sending, events, series } = backtest.run.store;
  const limits = backtest.run.store.limits?.peaks ?? [];
  const rowsPerSecond = Math.round(result.rows / wallSeconds);
  const cautions = runCautionsOf(backtest, scenario, sending);
  const markets = marketReportsOf(backtest, scenario, cautions);
  const { account } = backtest;
  const tags = backtest.run.store.tags.results(markets.map((one) => one.result));
  // Not part of the result, whose hash must be the same on every machine.
  const figures = {
    ...metricsIn(markets, account),
    set: Object.fromEntries(set.map(({ path, text }) => [path.join('.'), text])),
    parameters: Object.fromEntries([...plugins].map(([id, one]) => [id, one.parameters])),
    equity: markets.map(equityOf),
    series,
    tags,
    sending,
    limits,
    played,
    hash,
    ambient,
    printed,
  };
  const stem = join(resultsFolder, hash.slice(0, 16));
  const [path, page] = [`${stem}.json`, `${stem}.html`];
  const speed = { wallSeconds, rowsPerSecond };
  // Printed before the files are written, so that a failing disk does not lose the result.
  output.result({ ...result, ...figures, ...speed, results: path, report: page }, [
    ...resultLines(result, markets, { ...speed, hash, sending, limits, played }),
    ...tagLines(tags, markets),
    ...set.map((one) => `${'set'.padEnd(17)} ${one.path.join('.')}=${one.text}`),
    `${'results'.padEnd(17)} ${path}`,
    `${'report'.padEnd(17)} ${page}`,
  ]);
  const { expectedHash = hash } = scenario;
  if (hash !== expectedHash)
    output.line(
      `! ${file}: expect.hash is ${expectedHash}, this run has ${hash}: scenario, recording, strategy or program has changed`,
    );
  if (result.partial !== undefined) output.line(`! partial: ${result.partial}`);
  for (const use of ambient) output.line(`! ${ambientText(use)}`);
  const settings = JSON.stringify(scenario, null, 2);
  const shown = {
    ...{ result, markets, account, events, series, tags, cautions, limits, played },
    sending,
    hash,
    settings,
    printed,
    program: programVersion(workspace.root),
  };
  await writeFiles(
    backtest.run.store,
    { path, head: { ...result, ...figures } },
    { path: page, textOf: () => pageOf(shown) },
  );
  const isAsExpected =
    hash === expectedHash && result.partial === undefined && ambient.length === 0;
  return isAsExpected ? exitCodes.ok : exitCodes.error;
}

type ScenarioRun = {
  readonly backtest: Backtest;
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly ambient: readonly NondeterministicUse[];
  readonly printed: PrintedText;
  readonly wallSeconds: number;
};

/** Runs the scenario, and prints meanwhile how far it is and what its strategies say. */
async function runScenario(
  { workspace, output, graceMs }: BacktestCommandOptions,
  given: {
    readonly loaded: LoadedScenario;
    readonly scenario: ScenarioSettings;
    readonly resultsFolder: string;
  },
): Promise<ScenarioRun> {
  const { loaded, scenario, resultsFolder } = given;
  const strategiesFolder = workspace.strategies;
  const dataFolder = workspace.data;
  const clock = createClock();
  const startedMicros = clock.monotonicMicros();
  let reportedMicros = startedMicros;
  const everyMicros = progressEveryMicros[output.isTerminal ? 'terminal' : 'log'];
  const notices = new NoticeLimiter(output, backtestNoticeLimits);
  const printed = new PrintedNotices(output);
  const ids = scenario.strategies.map(({ id }) => id);
  const what = hangText(ids, graceMs);
  let plugins: ReadonlyMap<string, PreparedStrategy> = new Map();
  const { value: backtest, ambient } = await withStrategyGuard(ids, (check) =>
    watchAmbient(async () => {
      // Loads the plugins once here, so that errors name the line in the file. The run loads them
      // again; the module code of a plugin runs only in the first import, which is watched here.
      plugins = await preparePlugins(loaded, strategiesFolder, { what, graceMs });
      prepareWritableFolder(resultsFolder);
      return withHangWatchdog({ what, graceMs }, (beat) =>
        runBacktest({
          scenario,
          dataFolder,
          strategiesFolder,
          onHeartbeat: (nowMicros) => {
            check();
            beat(nowMicros);
          },
          onNotice: (notice, nowMs) => {
            if (isStrategyLine(notice)) printed.note(notice, nowMs);
            else if (notice.level !== 'info') notices.note(notice, nowMs);
          },
          onProgress: (progress) => {
            if (clock.monotonicMicros() - reportedMicros < everyMicros) return;
            reportedMicros = clock.monotonicMicros();
            output.progress(progressText(progress));
          },
        }),
      );
    }),
  );
  notices.end();
  printed.end();
  const wallSeconds = (clock.monotonicMicros() - startedMicros) / 1e6;
  return { backtest, plugins, ambient, printed: printed.all, wallSeconds };
}

/** The profit of a market over time, as numbers for plots and data frames. */
function equityOf({ result: { pair }, recorder: { samples } }: ReportedMarket) {
  return {
    pair,
    timesMs: samples.map(({ atMs }) => atMs),
    // Not money: figures for a plot.
    profit: samples.map(({ profit }) => Number.parseFloat(formatAmount(profit))),
  };
}

function pageOf(shown: ReportOptions): string {
  const title = `Backtest ${shown.result.scenario}`;
  return selfContainedPage({ title, content: reportDataOf(shown) }, { hasCandles: false });
}

/** Returns the folder of the scenario's results: in the user's project for a shipped scenario. */
function resultsFolderOf(file: string, { root, project }: Workspace): string {
  const folder = dirname(file);
  const isShipped = isInside(folder, root);
  return join(isShipped ? join(project, relative(root, folder)) : folder, 'results');
}

async function writeFiles(
  store: BacktestStore,
  results: { readonly path: string; readonly head: object },
  page: { readonly path: string; readonly textOf: () => string },
): Promise<void> {
  try {
    const rows = { orderRows: store.orderTexts(), fillRows: store.fillTexts() };
    const isPageNew = !existsSync(page.path);
    // The page is made while the disk is busy with the results.
    const written = await Promise.allSettled([
      writeResultFile(results.path, results.head, rows),
      writeFileAtomically(page.path, (partial) => writeFileSync(partial, page.textOf())),
    ]);
    // No page is left without its results, unless an equal run before wrote both.
    if (written[0].status === 'rejected' && isPageNew) rmSync(page.path, { force: true });
    for (const file of written) if (file.status === 'rejected') throw file.reason;
  } finally {
    store.close();
  }
}

function marketReportsOf(
  { result, run, recorders, startMicros, coarse }: Backtest,
  scenario: ScenarioSettings,
  runCautions: readonly string[],
): readonly ReportedMarket[] {
  return run.marketRuns.map(({ index, feed: { accountMarket } }) => {
    const recorder = recorders[index];
    const settings = scenario.markets[index];
    assert(
      recorder !== undefined && settings !== undefined,
      `${accountMarket.market.pair} was watched`,
    );
    const { market } = accountMarket;
    const one = result.markets?.[index] ?? result;
    const blocks = coarse[index]?.blocks;
    const isWatched = isOnlyWatched(scenario.strategies, market.pair);
    const ofData = isWatched || blocks === undefined ? [] : coarseCautionsOf(blocks);
    const cautions = [...runCautions, ...ofData];
    const coarseData = result.coarseData ?? result.coarseDataByPair?.[market.pair];
    return {
      market,
      recorder,
      metrics: metricsOf(recorder, accountMarket, { coarseData, cautions, recorders, isWatched }),
      isWatched,
      coarseData,
      result: one,
      fees: ratesAt(ratesOf(settings), Math.floor(startMicros / 1000)),
    };
  });
}

/** Returns the metrics: those of the only market, or by pair, with those of the account. */
function metricsIn(
  markets: readonly ReportedMarket[],
  account: AccountRecorder | undefined,
): object {
  const [first] = markets;
  if (markets.length === 1) return { metrics: first?.metrics };
  return {
    metrics: Object.fromEntries(markets.map(({ result, metrics }) => [result.pair, metrics])),
    ...(account === undefined ? {} : { account: account.metrics }),
  };
}
