/**
 * Loads the plugin of every strategy and checks its parameters, before any process is started or
 * any file created. Errors name the line in the settings file.
 */
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
 * Returns the plugins by strategy id. Throws ConfigError, with file, line and column if `source` is
 * given. If a plugin does not return, the process is killed.
 */
export function preparePlugins(
  given: Strategies,
  folder: string,
  guard?: HangWatchdogOptions,
): Promise<ReadonlyMap<string, PreparedStrategy>> {
  const who = `strategy ${given.strategies.map(({ id }) => id).join(' or ')}`;
  const what = `${who} has not returned for ${graceMs / 1000} s: an endless loop; killed at`;
  return withExitGuard(who, () =>
    withEventLoopWatchdog(guard ?? { what, graceMs }, () => prepare(given, folder)),
  );
}

async function prepare(
  { strategies, source }: Strategies,
  folder: string,
): Promise<ReadonlyMap<string, PreparedStrategy>> {
  const plugins = new Map<string, PreparedStrategy>();
  const errors: ConfigError[] = [];
  for (const settings of strategies) {
    try {
      const plugin = await prepareStrategy({ folder, settings });
      plugins.set(settings.id, plugin);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      errors.push(located(error, settings, source));
    }
  }
  if (errors.length > 0) throw joinedError(errors);
  return plugins;
}

type Strategies = {
  readonly strategies: readonly StrategyPlugin[];
  readonly source?: SettingsSource | undefined;
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

/** Returns `error` with the place of the value at `path`. */
export function placedError(
  source: SettingsSource,
  path: KeyPath,
  error: ConfigError,
): PlacedConfigError {
  const { line, column } = source.locate(path);
  const text = `${source.file}:${line}:${column}: ${error.message}`;
  return new PlacedConfigError(source.file, [{ line, column, text }], { cause: error });
}
