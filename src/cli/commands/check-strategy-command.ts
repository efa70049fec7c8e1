/**
 * `millrace check-strategy`: checks a strategy for look-ahead and nondeterminism. It looks for
 * forbidden imports, traps reads of clocks, randomness and I/O while the strategy runs, runs it
 * twice, and runs it over histories that diverge after a given time.
 */

import { realpathSync } from 'node:fs';
import { basename, dirname, parse, resolve } from 'node:path';
import {
  checkLookAhead,
  type LookAhead,
  type LookAheadCheck,
  type LookAheadOptions,
} from '../../backtest/check/look-ahead.ts';
import type { Alteration } from '../../backtest/run/altered-flow.ts';
import { ambientText, placeText, watchAmbient } from '../../bot/guards/nondeterminism-notes.ts';
import { withStrategyGuard } from '../../bot/guards/strategy-guard.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { ConfigError, NotFoundError } from '../../domain/errors.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { type HangWatchdogOptions, withHangWatchdog } from '../../runtime/hang-watchdog.ts';
import type { NondeterministicUse } from '../../runtime/nondeterminism-detector.ts';
import { loadScenario } from '../../settings/load-scenario.ts';
import { type ForbiddenImport, forbiddenImports } from '../../strategy/forbidden-imports.ts';
import { placeOfPlugin } from '../../strategy/plugin-place.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { isStrategyLine, PrintedNotices } from '../../terminal/printed-notices.ts';
import { statusOf } from '../file-status.ts';
import { findScenario } from '../find-scenario.ts';
import { hangText } from '../hang-text.ts';
import { projectFile } from '../project-file.ts';

export type CheckStrategyOptions = {
  /** The strategy's file, or its folder. */
  readonly file: string;
  /** As for a backtest; undefined uses the bot of the project, or else `first`. */
  readonly scenario: string | undefined;
  /** How long a strategy may take for one event, in milliseconds. */
  readonly graceMs: number;
  readonly workspace: Workspace;
  readonly output: Output;
};

export type StrategyCheck = {
  readonly imports: readonly ForbiddenImport[];
  readonly ambient: readonly NondeterministicUse[];
  readonly check: LookAheadCheck;
};

/** Checks the strategy; returns exit code 0 if no problem was found, otherwise 1. */
export async function runCheckStrategy(options: CheckStrategyOptions): Promise<number> {
  const { output, workspace, graceMs } = options;
  const file = pluginFile(options.file);
  const name = shownName(file);
  const { scenario, hint } = await scenarioFor(file, options);
  const dataFolder = workspace.data;
  const what = hangText([name], graceMs);
  const printed = new PrintedNotices(output);
  const found = await withStrategyGuard([name], (check) =>
    withHangWatchdog({ what, graceMs }, (beat) =>
      checkStrategy({
        ...{ scenario, dataFolder, strategiesFolder: workspace.strategies },
        guard: { what, graceMs },
        onRun: (text) => output.line(`run over ${scenario.scenario}: ${text}`),
        onNotice: (notice, nowMs) => {
          if (isStrategyLine(notice)) printed.note(notice, nowMs);
        },
        onHeartbeat: (nowMicros) => {
          check();
          beat(nowMicros);
        },
      }).catch((error: unknown) => {
        throw withHint(error, hint);
      }),
    ),
  );
  printed.end();
  const { imports, ambient, check } = found;
  const problems = [
    ...imports.map((one) => `${placeText(one)} imports ${one.specifier}: ${one.why}`),
    ...ambient.map(ambientText),
    ...check.stopped,
    ...refusedAll(check),
    ...check.found.map(lookAheadText),
  ];
  const count = problems.length;
  const shown = { strategy: name, file, scenario: scenario.scenario, problems: count };
  output.result({ ...shown, ...found }, [
    ...problems.map((text) => `! ${text}`),
    `${name}: ${check.runs} runs of ${check.rows} rows, ${check.orders} orders, ${count === 0 ? 'nothing found' : `${count} problems`}`,
    ...(check.orders > 0 ? [] : [`it placed no order, so no order was compared${idleText(check)}`]),
    ...warmUpLines(check),
  ]);
  return count === 0 ? exitCodes.ok : exitCodes.error;
}

/** Checks the only strategy of the scenario. */
export async function checkStrategy({
  guard,
  ...options
}: Omit<LookAheadOptions, 'readsWorld'> & {
  /** Guards the loading of the strategy; by default as for a bot. */
  readonly guard?: HangWatchdogOptions;
}): Promise<StrategyCheck> {
  const { scenario, strategiesFolder } = options;
  const { value, ambient } = await watchAmbient(async (uses) => {
    // Loads the plugins before the first run, because a run is watched only from its first event.
    const plugins = await preparePlugins(scenario, strategiesFolder, guard);
    const imports = [...plugins.values()].flatMap(({ code }) => forbiddenImports(code.sources));
    const readsWorld = () => uses.length > 0;
    const check = await checkLookAhead({ ...options, readsWorld });
    return { imports, check };
  });
  return { ...value, ambient };
}

/** Returns the real path of the plugin's module. */
function pluginFile(given: string): string {
  const candidates = [resolve(given), resolve(given, 'strategy.ts'), resolve(given, 'strategy.js')];
  const found = candidates.find((one) => statusOf(one)?.isFile());
  if (found !== undefined) return realpathSync(found);
  throw new NotFoundError(
    `no strategy at ${resolve(given)}: give the path of its file, or of its folder with strategy.ts`,
  );
}

/** Returns the name of the file, or of its folder if the file has the name that all have. */
function shownName(file: string): string {
  const { name } = parse(file);
  return name === 'strategy' ? basename(dirname(file)) : name;
}

/**
 * Returns the scenario with only this strategy: as configured there, or with its defaults, which
 * may not suit it; the hint then says how to configure it.
 */
async function scenarioFor(
  file: string,
  { scenario: name, workspace, output }: CheckStrategyOptions,
): Promise<{ readonly scenario: ScenarioSettings; readonly hint?: string }> {
  const ownFile = projectFile(workspace);
  const found = findScenario(name ?? ownFile ?? 'first', workspace);
  const { source: _source, notices, ...scenario } = loadScenario(found.file, found.botFile);
  for (const text of notices) output.line(`! ${text}`);
  const places = { shipped: workspace.strategies, from: scenario.pluginsFrom };
  const files = await Promise.all(
    scenario.strategies.map(({ plugin }) => placeOfPlugin(plugin, places).catch(() => undefined)),
  );
  const own = scenario.strategies.filter(({ plugin }, i) => {
    const known = files[i];
    // A name without a shipped plugin may be that of the folder of this one.
    return known === undefined ? plugin === shownName(file) : known.file === file;
  });
  const plugin = `./${basename(file)}`;
  const from = { folder: dirname(file), packages: scenario.pluginsFrom.packages };
  const [other] = scenario.strategies;
  if (own.length > 0 || other === undefined) {
    const strategies = own.map((one) => ({ ...one, plugin }));
    return { scenario: { ...scenario, pluginsFrom: from, strategies } };
  }
  if (name !== undefined)
    throw new ConfigError(
      `${scenario.scenario} has no strategy of plugin ${file}; it has ${scenario.strategies.map((one) => one.plugin).join(', ')}`,
    );
  const strategies = [{ ...other, plugin, parameters: {} }];
  const hint =
    ownFile === undefined
      ? `scenario ${scenario.scenario} was used because --scenario was not given; give a scenario that has pairs and parameters for ${shownName(file)}`
      : `${ownFile} has no strategy whose plugin is ${file}: add one below "strategies:" there, with its pairs and parameters`;
  const pluginsFrom = { ...from, packages: 'any' } as const;
  return { scenario: { ...scenario, pluginsFrom, strategies }, hint };
}

/** Names the cause before the settings that it makes wrong; code that cannot be loaded is one. */
function withHint(error: unknown, hint: string | undefined): unknown {
  if (hint === undefined || !(error instanceof ConfigError)) return error;
  if (error.message.startsWith('plugin ')) return error;
  return new ConfigError(`${hint}. Without that: ${error.message}`, { cause: error });
}

/**
 * Reports a strategy whose every order was refused, because then nothing was compared. A strategy
 * that asked for no order is not a problem.
 */
function refusedAll({ orders, refusals }: LookAheadCheck): readonly string[] {
  const counts = countsText(refusals);
  if (orders > 0 || counts === '') return [];
  return [`the gate refused every order of the first run, so no order was compared: ${counts}`];
}

/** Says how much the warm-up matters. It is no problem: only its author knows what is enough. */
function warmUpLines({ warmUp }: LookAheadCheck): readonly string[] {
  if (warmUp === undefined) return [];
  const { candles, candlesTwice, sameOrders, otherOrders, firstOtherMs } = warmUp;
  if (candlesTwice <= candles)
    return [
      `warm-up: the recording has no more than its ${candles} candles from before the run, ` +
        'so whether more would matter is not known: begin later, with "from"',
    ];
  const than = `with ${candlesTwice} candles from before the run instead of ${candles}`;
  if (firstOtherMs === undefined)
    return [`warm-up: ${than}, it places the same ${sameOrders} orders`];
  const at = new Date(firstOtherMs).toISOString();
  return [
    `warm-up: ${than}, ${otherOrders} orders differ, the first at ${at}, and ${sameOrders} are the same: ` +
      'more candles in "history" or "warmUp" make it depend less on its start',
  ];
}

function idleText({ idle }: LookAheadCheck): string {
  const counts = countsText(idle);
  return counts === '' ? '' : `; it idled: ${counts}`;
}

/** Returns the five most frequent; there may be any number of idle reasons. */
function countsText(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .sort(([, a], [, b]) => b - a)
    .slice(0, 5)
    .map(([name, times]) => `${name} ${times}`)
    .join(', ');
}

function lookAheadText(found: LookAhead): string {
  const { kind, was, became } = found;
  const what = whatText(found);
  const from = kind === 'looks-ahead' ? 'before' : 'first';
  return `${what}\n    ${from}: ${was}\n    then: ${became}`;
}

function whatText({ kind, alteration, atMicros }: LookAhead): string {
  const at = new Date(atMicros / 1000).toISOString();
  if (kind === 'looks-ahead' && alteration !== undefined)
    return `it looks ahead: its action at ${at} changes if history ${alterationText(alteration)}`;
  const other = `a repetition of the same run acted differently at ${at}`;
  return kind === 'nondeterministic'
    ? `it is nondeterministic because of the calls named above: ${other}; look-ahead can only be checked once they are removed`
    : `${other}: some state survives a run`;
}

function alterationText({ kind, cutMicros }: Alteration): string {
  const after = `after ${new Date(cutMicros / 1000).toISOString()}`;
  if (kind === 'ends') return `ends ${after}`;
  return kind === 'later' ? `continues later ${after}` : `has larger orders ${after}`;
}
