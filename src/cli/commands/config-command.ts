/**
 * `millrace config`: checks settings files, shows the values in force and their origin, and
 * explains keys. It opens only settings, plugins and a scenario's recordings, and uses no network.
 */

import { resolve } from 'node:path';
import { openHistory } from '../../backtest/run/open-history.ts';
import { keyIdName, keySecretName } from '../../bot/keys/bot-credentials.ts';
import { checkBot } from '../../bot/start/load-bot.ts';
import { preparePlugins } from '../../bot/start/prepare-plugins.ts';
import { botWarnings, settingsWarnings } from '../../bot/start/settings-warnings.ts';
import { statePlaceOf } from '../../bot/state-place.ts';
import type { BotSettings } from '../../domain/bot-settings.ts';
import { ConfigError, MillraceError, NotFoundError } from '../../domain/errors.ts';
import type { ScenarioSettings } from '../../domain/scenario-settings.ts';
import type { Workspace } from '../../domain/workspace.ts';
import { type EffectiveValue, effectiveSettings } from '../../settings/effective-settings.ts';
import { presetLines } from '../../settings/given-limits.ts';
import { loadBotSettings } from '../../settings/load-bot-settings.ts';
import { loadEgressCaps } from '../../settings/load-egress.ts';
import { type LoadedScenario, loadScenario } from '../../settings/load-scenario.ts';
import { readVenue } from '../../settings/load-venue.ts';
import { joinedError } from '../../settings/problem.ts';
import { readablePlugins } from '../../settings/readable-settings.ts';
import {
  findSettingsKeys,
  nearestSettingsKey,
  type SettingsKey,
  settingsKeysBelow,
  shownValue,
} from '../../settings/settings-keys.ts';
import { readSettings, type SettingsSource } from '../../settings/settings-source.ts';
import { loadStrategy } from '../../strategy/loader.ts';
import { type DescribedParam, paramsOf, rangeText } from '../../strategy/parameters/param.ts';
import { placeOfPlugin } from '../../strategy/plugin-place.ts';
import { writeTextAtomically } from '../../terminal/atomic-file.ts';
import { exitCodes } from '../../terminal/exit-code.ts';
import type { Output } from '../../terminal/output.ts';
import { absenceOf, configurationPage } from '../reference/configuration-page.ts';

/** Checks files of any kind; returns exit code 0 if none has an error, otherwise 2. */
export async function runConfigCheck(options: {
  readonly files: readonly string[];
  readonly workspace: Workspace;
  readonly output: Output;
}): Promise<number> {
  const files = [];
  for (const file of options.files) {
    const { problems, warnings } = await findingsOf(file, options.workspace);
    files.push({ file, ok: problems.length === 0, problems, warnings });
  }
  options.output.result(
    { ok: files.every(({ ok }) => ok), files },
    files.flatMap(({ file, problems, warnings }) => [
      ...problems,
      ...warnings,
      ...(problems.length > 0 ? [] : [`${file}: ${verdictOf(warnings.length)}`]),
    ]),
  );
  return files.every(({ ok }) => ok) ? exitCodes.ok : exitCodes.usageOrConfig;
}

function verdictOf(warnings: number): string {
  if (warnings === 0) return 'no errors';
  return `no errors; ${warnings === 1 ? '1 warning' : `${warnings} warnings`}`;
}

type Findings = { readonly problems: readonly string[]; readonly warnings: readonly string[] };

async function findingsOf(file: string, workspace: Workspace): Promise<Findings> {
  const problems: string[] = [];
  const warnings: string[] = [];
  const collect = async (read: () => unknown): Promise<void> => {
    try {
      await read();
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      problems.push(...error.message.split('\n'));
    }
  };
  await collect(async () => {
    const parsed = readSettings(file);
    const has = (key: string) => parsed.has([key]);
    if (has('scenario')) {
      const { source, notices, ...scenario } = await scenarioOf(file, parsed, workspace);
      warnings.push(...notices);
      const { balances, markets } = scenario;
      const barMs = new Map(
        markets.flatMap(({ pair, fillModel }) =>
          fillModel?.intervalMs === undefined ? [] : [[pair, fillModel.intervalMs] as const],
        ),
      );
      await collect(async () => {
        const plugins = await preparePlugins({ ...scenario, source }, workspace.strategies);
        warnings.push(...settingsWarnings({ ...scenario, source, plugins, balances, barMs }));
      });
      await collect(() => checkRecordings(file, scenario, workspace.data));
    } else if (has('baseUrl') || has('streamUrl')) readVenue(file);
    else if (has('ordersPerMinuteMax') && !has('bot')) loadEgressCaps(file);
    else {
      const { settings, plugins, errors } = await checkBot(file, { workspace });
      if (settings !== undefined) warnings.push(...botWarnings(settings, plugins));
      if (errors.length > 0) throw joinedError(errors);
    }
  });
  return { problems, warnings };
}

/** Loads a scenario; an error also lists the problems of its own strategies' plugins. */
async function scenarioOf(
  file: string,
  parsed: SettingsSource,
  workspace: Workspace,
): Promise<LoadedScenario> {
  const errors: ConfigError[] = [];
  const note = (error: unknown): void => {
    if (!(error instanceof ConfigError)) throw error;
    errors.push(error);
  };
  try {
    return loadScenario(file);
  } catch (error) {
    note(error);
  }
  const readable = readablePlugins(parsed);
  await preparePlugins({ ...readable, source: parsed }, workspace.strategies).catch(note);
  throw joinedError(errors);
}

/** Throws ConfigError if a backtest of `file` could not read its recordings. */
async function checkRecordings(
  file: string,
  scenario: ScenarioSettings,
  dataFolder: string,
): Promise<void> {
  try {
    (await openHistory(scenario, dataFolder)).close();
  } catch (error) {
    if (!(error instanceof MillraceError)) throw error;
    throw new ConfigError(`${file}: ${error.message}`, { cause: error });
  }
}

/** Prints every value in force, and with `withOrigin` where it comes from; returns exit code 0. */
export async function runConfigShow(options: {
  readonly file: string;
  readonly home: string | undefined;
  readonly withOrigin: boolean;
  readonly environment: { readonly [name: string]: string | undefined };
  readonly workspace: Workspace;
  readonly output: Output;
}): Promise<number> {
  // It also prints what a file lacks for its mode, as the limits of a preset in mode live.
  const read = { ...options, isShown: true };
  const { source, ...settings } = loadBotSettings(options.file, read);
  const plugins = await preparePlugins({ ...settings, source }, options.workspace.strategies);
  const place = statePlaceOf(settings.store, options.home);
  const derived: Readonly<Record<string, string>> = {
    namespace: settings.namespace,
    ...(settings.mode === 'demo' ? { venue: settings.venue } : {}),
    store: place.store,
    ...(settings.egress === undefined ? {} : { egress: settings.egress }),
  };
  const values = [
    ...effectiveSettings(source).map((one) => completed(one, derived[one.key])),
    ...settings.strategies.flatMap(({ id, plugin, parameters }) =>
      Object.entries(plugins.get(id)?.parameters ?? {})
        .filter(([name]) => !Object.hasOwn(parameters, name))
        .map(([name, value]) => ({
          key: `strategies.${id}.parameters.${name}`,
          value: shownValue(value),
          origin: `default of ${plugin}`,
        })),
    ),
    ...keyOrigins(settings, options.environment, place.home),
    { key: 'hash', value: settings.hash, origin: `derived from the bytes of ${options.file}` },
  ];
  const width = Math.max(...values.map(({ key }) => key.length));
  options.output.result(
    options.withOrigin ? values : Object.fromEntries(values.map(({ key, value }) => [key, value])),
    [
      ...values.map(({ key, value, origin }) =>
        `${key.padEnd(width)}  ${value}${options.withOrigin ? `  # ${origin}` : ''}`.trimEnd(),
      ),
      ...presetLines(source),
    ],
  );
  return exitCodes.ok;
}

/** Replaces a value that is derived or made absolute. */
function completed(one: EffectiveValue, derived: string | undefined): EffectiveValue {
  if (derived === undefined || derived === one.value) return one;
  const origin = one.origin === 'not given' ? 'derived' : `${one.origin}, made absolute`;
  return { ...one, value: derived, origin };
}

/** Returns where the API key comes from; its value is never shown. */
function keyOrigins(
  { mode }: Pick<BotSettings, 'mode'>,
  environment: { readonly [name: string]: string | undefined },
  home: string,
): readonly EffectiveValue[] {
  return [keyIdName, keySecretName].map((name) => {
    const isFile = (environment[`${name}_FILE`] ?? '') !== '';
    const isValue = (environment[name] ?? '') !== '';
    const otherwise = mode === 'demo' ? `the simulator of ${home}` : 'not given';
    const from = isFile
      ? `environment, ${name}_FILE`
      : isValue
        ? `environment, ${name}`
        : otherwise;
    return { key: name, value: '(not shown)', origin: from };
  });
}

/**
 * Explains the keys that match `key`, or the parameters of the plugin that it names, or all keys;
 * with `write`, writes the page of all keys to that file.
 */
export async function runConfigExplain(options: {
  readonly key: string | undefined;
  readonly write: string | undefined;
  readonly workspace: Workspace;
  readonly output: Output;
}): Promise<number> {
  const { key, write, workspace, output } = options;
  if (write !== undefined) {
    writeTextAtomically(resolve(write), configurationPage());
    output.result({ written: resolve(write) }, [`wrote ${resolve(write)}`]);
    return exitCodes.ok;
  }
  if (key === undefined) {
    output.result({ page: configurationPage() }, configurationPage().split('\n'));
    return exitCodes.ok;
  }
  const keys = findSettingsKeys(key);
  if (keys.length === 0) {
    if (await isPlugin(key, workspace)) return explainPlugin(key, workspace, output);
    const near = nearestSettingsKey(key);
    throw new NotFoundError(
      `no settings file has a key ${key}${near === undefined ? '' : `; did you mean ${near}?`}`,
    );
  }
  output.result(
    keys.map((one) => ({
      ...one,
      whenLeftOut: absenceOf(one),
      below: settingsKeysBelow(one).map(({ path }) => path),
    })),
    keys.flatMap((one, i) => [...(i === 0 ? [] : ['']), ...explained(one)]),
  );
  return exitCodes.ok;
}

/** Whether this names a file, as only a plugin does here, or a shipped plugin. */
async function isPlugin(name: string, { strategies, project }: Workspace): Promise<boolean> {
  if (/^\.{1,2}\//u.test(name)) return true;
  const from = { folder: project, packages: 'any' } as const;
  return placeOfPlugin(name, { shipped: strategies, from }).then(
    () => true,
    () => false,
  );
}

async function explainPlugin(
  plugin: string,
  { strategies, project }: Workspace,
  output: Output,
): Promise<number> {
  const from = { folder: project, packages: 'any' } as const;
  const { strategy } = await loadStrategy(strategies, plugin, from);
  const parameters = paramsOf(strategy.parameters).map(([name, about]) => ({ name, ...about }));
  output.result({ plugin, name: strategy.name, parameters }, [
    `${plugin}  (plugin ${strategy.name}); its parameters:`,
    ...parameters.flatMap(parameterLines),
    ...(parameters.length === 0 ? ['  none'] : []),
  ]);
  return exitCodes.ok;
}

function parameterLines(one: { readonly name: string } & Partial<DescribedParam>): string[] {
  const { name, description = '', unit, step, from, to, mayChange } = one;
  const allowed = `${rangeText(from, to)}${unit === undefined ? '' : ` ${unit}`}`;
  const usual = one.default === undefined ? 'must be given' : String(one.default);
  return [
    `${name}`,
    ...(description === '' ? [] : [`  ${description}`]),
    ...(allowed === 'any' ? [] : [`  allowed:     ${allowed}`]),
    ...(step === undefined ? [] : [`  step:        ${String(step)}`]),
    `  if left out: ${usual}`,
    ...(mayChange === true ? ['  may change:  while the bot runs, with millrace set'] : []),
  ];
}

function explained(key: SettingsKey): readonly string[] {
  return [
    `${key.path}  (${key.kind === 'profile' ? 'scenario' : key.kind} file)`,
    `  ${key.description?.meaning ?? ''}`,
    `  allowed:     ${key.allowed}`,
    `  if left out: ${absenceOf(key)}`,
    `  example:     ${key.path.split('.').at(-1)}: ${key.description?.example ?? ''}`,
    ...belowLines(settingsKeysBelow(key)),
  ];
}

/** The keys in it; `config explain` with one of them says more. */
function belowLines(keys: readonly SettingsKey[]): readonly string[] {
  if (keys.length === 0) return [];
  const width = Math.max(...keys.map(({ path }) => path.length));
  return [
    '  keys in it:',
    ...keys.map(({ path, description }) => {
      const [first = ''] = (description?.meaning ?? '').split(/(?<=[.:]) /u);
      return `    ${path.padEnd(width)}  ${first}`.trimEnd();
    }),
  ];
}
