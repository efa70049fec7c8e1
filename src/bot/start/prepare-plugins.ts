/**
 * Loads the plugin of every strategy and checks its parameters, before any process is started or
 * any file created. Errors name the line in the settings file.
 */
import type { PluginsFrom } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { type HangWatchdogOptions, withEventLoopWatchdog } from '../../runtime/hang-watchdog.ts';
import { parameterErrorOf } from '../../settings/parameter-error.ts';
import { joinedError, PlacedConfigError } from '../../settings/problem.ts';
import type { StrategyPlugin } from '../../settings/readable-settings.ts';
import type { KeyPath, SettingsSource } from '../../settings/settings-source.ts';
import { type PreparedStrategy, prepareStrategy } from '../../strategy/loader.ts';
import { UnfitParametersError } from '../../strategy/unfit-parameters-error.ts';
import { withExitGuard } from '../guards/exit-guard.ts';

const graceMs = 60_000;

/**
 * Returns the plugins by strategy id; `folder` contains the shipped ones. Throws ConfigError, with file, line and column if `source` is
 * given. If a plugin does not return, the process is killed.
 */
export function preparePlugins(
  given: Strategies,
  folder: string,
  guard?: HangWatchdogOptions,
): Promise<ReadonlyMap<string, PreparedStrategy>> {
  return checkPlugins(given, folder, guard).then(({ plugins, errors }) => {
    if (errors.length > 0) throw joinedError(errors);
    return plugins;
  });
}

/** As {@link preparePlugins}, but returns the errors, and the plugins without one. */
export function checkPlugins(
  given: Strategies,
  folder: string,
  guard?: HangWatchdogOptions,
): Promise<CheckedPlugins> {
  const who = `strategy ${given.strategies.map(({ id }) => id).join(' or ')}`;
  const what = `${who} has not returned for ${graceMs / 1000} s: an endless loop; killed at`;
  return withExitGuard(who, () =>
    withEventLoopWatchdog(guard ?? { what, graceMs }, () => prepare(given, folder)),
  );
}

export type CheckedPlugins = {
  readonly plugins: ReadonlyMap<string, PreparedStrategy>;
  readonly errors: readonly ConfigError[];
};

async function prepare(
  { strategies, source, pluginsFrom }: Strategies,
  folder: string,
): Promise<CheckedPlugins> {
  const files = new Map<string, string>();
  const plugins = new Map<string, PreparedStrategy>();
  const errors: ConfigError[] = [];
  for (const settings of strategies) {
    try {
      const plugin = await prepareStrategy({ folder, from: pluginsFrom, settings });
      const { name } = plugin.strategy;
      const { file } = plugin.code;
      const first = files.get(name) ?? file;
      if (first !== file)
        throw new ConfigError(
          `plugin ${settings.plugin}: ${file} and ${first} both have the name "${name}": ` +
            'give one of them another name in defineStrategy',
        );
      files.set(name, file);
      plugins.set(settings.id, plugin);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      errors.push(located(error, settings, source));
    }
  }
  return { plugins, errors };
}

type Strategies = {
  readonly strategies: readonly StrategyPlugin[];
  readonly source?: SettingsSource | undefined;
  /** Where their plugins are found; without it, only the shipped ones are. */
  readonly pluginsFrom?: PluginsFrom;
};

function located(
  error: ConfigError,
  { id }: StrategyPlugin,
  source: SettingsSource | undefined,
): ConfigError {
  if (source === undefined) return error;
  if (error instanceof UnfitParametersError) {
    const at = ['strategies', id, 'parameters'];
    return parameterErrorOf(source, error.issues, { at, schema: error });
  }
  const isOfPairs = error.message.startsWith(`strategies.${id}.pairs`);
  return placedError(source, ['strategies', id, isOfPairs ? 'pairs' : 'plugin'], error);
}

export function placedError(
  source: SettingsSource,
  path: KeyPath,
  error: ConfigError,
): PlacedConfigError {
  const { line, column } = source.locate(path);
  const text = `${source.file}:${line}:${column}: ${error.message}`;
  return new PlacedConfigError(source.file, [{ line, column, text }], { cause: error });
}
