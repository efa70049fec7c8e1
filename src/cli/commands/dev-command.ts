/** `millrace dev`: runs a backtest at each save of the strategy, its settings or the scenario. */
import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Workspace } from '../../domain/workspace.ts';
import { createClock } from '../../runtime/clock.ts';
import { watchSignals } from '../../runtime/signals.ts';
import { createTimers } from '../../runtime/timers.ts';
import { loadScenario } from '../../settings/load-scenario.ts';
import { readPluginCode } from '../../strategy/plugin-code.ts';
import { placeOfPlugin } from '../../strategy/plugin-place.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { DevPage } from '../dev/dev-page.ts';
import { DevSession, type DevSources } from '../dev/dev-session.ts';
import { watchKeys } from '../dev/terminal-keys.ts';
import { type FoundScenario, findScenario } from '../find-scenario.ts';

export type DevCommandOptions = {
  /** As for a backtest. */
  readonly scenario: string | undefined;
  /** The port of the page, 0 to 65535; 0 picks any free one. */
  readonly port: number;
  /** The port on which each run waits for a debugger; undefined without one. */
  readonly debuggerPort: number | undefined;
  readonly workspace: Workspace;
  readonly output: Output;
};

/**
 * Runs until `q`, Ctrl-C or another signal; returns exit code 0. Throws as a backtest does if there
 * is no such scenario. A run that fails does not end it.
 */
export async function runDev(options: DevCommandOptions): Promise<number> {
  const { workspace, output } = options;
  const { file, botFile } = findScenario(options.scenario, workspace);
  const page = new DevPage();
  const url = await page.listen(options.port);
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const session = new DevSession({
    ...options,
    scenario: botFile ?? file,
    sourcesOf: async () => sourcesOf({ file, botFile }, workspace),
    page,
    clock: createClock(),
    timers: createTimers(),
  });
  output.line(`page ${url}`);
  const unwatch = watchSignals({ stop: () => end(), force: () => process.exit(1), fatal: fail });
  function fail(error: unknown): void {
    output.problem(error);
    process.exit(exitCodes.error);
  }
  const unwatchKeys = watchKeys(output, {
    r: ['run again', () => void session.run().catch(fail)],
    l: ['check for look-ahead', () => void session.checkLookAhead().catch(fail)],
    q: ['quit', () => end()],
  });
  void session.run().catch(fail);
  await ended;
  unwatchKeys();
  unwatch();
  session.close();
  await page.close();
  const { ended: runs, failed } = session;
  output.result({ runs, failed, page: url }, [`${runs} runs, ${failed} without a result`]);
  return exitCodes.ok;
}

/** Returns the files with code in the folder of `file`. */
function codeBeside(file: string): readonly string[] {
  const folder = dirname(file);
  const names = readdirSync(folder).filter((name) => /\.[cm]?[jt]s$/u.test(name));
  return names.map((name) => join(folder, name));
}

/** Returns the files that a run reads, except recordings. Throws if one of them is not there. */
async function sourcesOf(
  { file, botFile }: FoundScenario,
  workspace: Workspace,
): Promise<DevSources> {
  const settings = botFile === undefined ? [file] : [botFile, file];
  const { strategies, pluginsFrom } = loadScenario(file, botFile);
  const places = { shipped: workspace.strategies, from: pluginsFrom };
  const found = await Promise.all(strategies.map(({ plugin }) => placeOfPlugin(plugin, places)));
  const files = await Promise.all(
    found.map(async (place) => {
      const code = await readPluginCode(place, 'any').catch(() => undefined);
      // What it imports cannot be read from a file that is half-written.
      return code?.files ?? [place.file, ...codeBeside(place.file)];
    }),
  );
  const modules = [...new Set(found.map(({ file: module }) => module))];
  return { settings, modules, code: files.flat() };
}
