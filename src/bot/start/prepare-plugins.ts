/**
 * Loads the plugin of every strategy and checks its parameters, before any process is started or
 * any file created. Errors name the line in the settings file.
 */
import type { StrategySettings } from '../../domain/bot-settings.ts';
import { ConfigError } from '../../domain/errors.ts';
import { type HangWatchdogOptions, withEventLoopWatchdog } from '../../runtime/hang-watchdog.ts';
import { parameterErrorOf } from '../../settings/parameter-error.ts';
import type { SettingsSource } from '../../settings/settings-source.ts';
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
  for (const settings of strategies) {
    try {
      const plugin = await prepareStrategy({ folder, settings });
      plugins.set(settings.id, plugin);
    } catch (error) {
      throw located(error, settings, source);
    }
  }
  return plugins;
}

type Strategies = {
  readonly strategies: readonly StrategySettings[];
  readonly source?: SettingsSource | undefined;
};

function located(
  error: unknown,
  { id }: StrategySettings,
  source: SettingsSource | undefined,
): unknown {
  if (!(error instanceof ConfigError) || source === undefined) return error;
  if (error instanceof UnfitParametersError) {
    const at = ['strategies', id, 'parameters'];
    return parameterErrorOf(source, error.issues, { at, schema: error });
  }
  const isOfPairs = error.message.startsWith(`strategies.${id}.pairs`);
  const place = source.locate(['strategies', id, isOfPairs ? 'pairs' : 'plugin']);
  const where = `${source.file}:${place.line}:${place.column}`;
  return new ConfigError(`${where}: ${error.message}`, { cause: error });
}
