/** `millrace backtest`: a scenario over a recording, its figures, and its results as a file. */
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { resultLines } from '../backtest/backtest-result.ts';
import { metricLines } from '../backtest/report/metric-lines.ts';
import { reportPageOf } from '../backtest/report/report-page.ts';
import { metricsOf } from '../backtest/report/run-metrics.ts';
import { runBacktest } from '../backtest/run-backtest.ts';
import { NotFoundError } from '../domain/errors.ts';
import { createClock } from '../runtime/clock.ts';
import { loadScenario } from '../settings/load-scenario.ts';
import { ambientText, watchAmbient } from './ambient-watch.ts';
import { exitCodes } from './exit-code.ts';
import type { Output } from './output.ts';
import { packageRoot } from './package-root.ts';
import { preparePlugins } from './prepare-plugins.ts';

export type BacktestVerbOptions = {
  /** The name of a folder in `backtests/`, or the path of a scenario file. */
  readonly scenario: string;
  /** `MILLRACE_DATA` names the folder of the data sets. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly output: Output;
  /** Holds the plugins; the package's unless given. */
  readonly strategiesFolder?: string;
};

const progressEveryMicros = 5_000_000;

/**
 * Runs the scenario; returns the exit code: 0 if it ran, 1 if its recording could not be read to
 * its end, its hash is not the expected one, or a strategy read a clock, a generator or the world;
 * 4 if it or its recording is not there.
 */
export async function runBacktestVerb(options: BacktestVerbOptions): Promise<number> {
  const { scenario: name, environment, output } = options;
  const file = findScenario(name);
  const loaded = loadScenario(file);
  const { source: _source, ...scenario } = loaded;
  // For errors with their place in the file; the run prepares its own.
  const { strategiesFolder = join(packageRoot, 'strategies') } = options;
  await preparePlugins(loaded, strategiesFolder);
  const dataFolder = resolve(environment['MILLRACE_DATA'] || join(packageRoot, '../shared/data'));
  const clock = createClock();
  const startedMicros = clock.monotonicMicros();
  let toldMicros = startedMicros;
  const { value: backtest, ambient } = await watchAmbient(strategiesFolder, () =>
    runBacktest({
      scenario,
      dataFolder,
      strategiesFolder,
      onNotice: (notice, nowMs) => {
        if (notice.level !== 'info') output.notice(notice, nowMs);
      },
      onProgress: (rows, nowMs) => {
        if (clock.monotonicMicros() - toldMicros < progressEveryMicros) return;
        toldMicros = clock.monotonicMicros();
        output.line(`${rows} rows, at ${new Date(nowMs).toISOString()}`);
      },
    }),
  );
  const { result, hash } = backtest;
  const wallSeconds = (clock.monotonicMicros() - startedMicros) / 1e6;
  const rowsPerSecond = Math.round(result.rows / wallSeconds);
  const { run, recorder } = backtest;
  const metrics = metricsOf(recorder, run.port.desk, result.lowerGrade);
  const stem = join(dirname(file), 'results', hash.slice(0, 16));
  const path = `${stem}.json`;
  const page = `${stem}.html`;
  const { reports } = run.store;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(
    path,
    `${JSON.stringify({ ...result, metrics, hash, ambient, orderRows: reports.orders(), fillRows: reports.fills() }, null, 1)}\n`,
  );
  const { market } = scenario;
  const settings = JSON.stringify(scenario, null, 2);
  writeFileSync(page, reportPageOf({ result, metrics, recorder, market, hash, settings }));
  const speed = { wallSeconds, rowsPerSecond };
  output.result({ ...result, metrics, ...speed, hash, ambient, results: path, report: page }, [
    ...resultLines(result, scenario, { ...speed, hash }),
    ...metricLines(metrics, market),
    `${'results'.padEnd(17)} ${path}`,
    `${'report'.padEnd(17)} ${page}`,
  ]);
  const { expectedHash = hash } = scenario;
  if (hash !== expectedHash)
    output.line(
      `! ${file}: expect.hash is ${expectedHash}, this run has ${hash}: scenario, recording, strategy or program is another one`,
    );
  if (result.partial !== undefined) output.line(`! partial: ${result.partial}`);
  for (const use of ambient) output.line(ambientText(use));
  const isAsExpected =
    hash === expectedHash && result.partial === undefined && ambient.length === 0;
  return isAsExpected ? exitCodes.ok : exitCodes.error;
}

/** Returns the path of the scenario's file; throws NotFoundError that says what there is. */
export function findScenario(name: string): string {
  const folder = join(packageRoot, 'backtests');
  const isPath = /[/\\]|\.ya?ml$/u.test(name);
  const candidates = isPath
    ? [resolve(name), resolve(name, 'scenario.yaml')]
    : [join(folder, name, 'scenario.yaml')];
  const file = candidates.find(
    (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true,
  );
  if (file !== undefined) return file;
  const known = existsSync(folder)
    ? readdirSync(folder).filter((entry) => existsSync(join(folder, entry, 'scenario.yaml')))
    : [];
  throw new NotFoundError(
    `no scenario ${name}: give the path of a scenario file, or one of ${known.sort().join(', ') || 'none'} (in ${folder})`,
  );
}
