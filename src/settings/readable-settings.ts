/**
 * The parts of a settings file that can be read although others are wrong, so that plugins and
 * other files can be checked at once.
 */
import type { BotSettings, PluginsFrom, StrategySettings } from '../domain/bot-settings.ts';
import { packagesField, strategiesField } from './bot-fields.ts';
import { type Field, Reader } from './field.ts';
import { botField, egressFileOf, pluginsFromOf } from './load-bot-settings.ts';
import type { SettingsSource } from './settings-source.ts';

/** What a plugin needs to know of its strategy's settings. */
export type StrategyPlugin = Pick<
  StrategySettings,
  'id' | 'plugin' | 'pairs' | 'watch' | 'parameters'
>;

export type ReadableBot = Partial<Pick<BotSettings, 'venue' | 'egress'>> & ReadablePlugins;

/** The strategies, and where their plugins are found. */
export type ReadablePlugins = {
  readonly strategies: readonly StrategyPlugin[];
  readonly pluginsFrom: PluginsFrom;
};

const pluginKeys: readonly unknown[] = ['plugin', 'pairs', 'watch', 'parameters'];

/** Returns the strategies whose plugin, pairs and parameters have no problem of their own. */
export function readablePlugins(source: SettingsSource): ReadablePlugins {
  const read = <Value>(field: Field<Value>, key: string) => {
    const reader = new Reader(source);
    return { value: reader.read(field, [key]), problems: reader.problems };
  };
  const packages = source.has(['packages']) ? read(packagesField, 'packages').value : [];
  // Packages that cannot be read allow any, since their own problem is reported.
  const from = pluginsFromOf(source, packages);
  const pluginsFrom = packages === undefined ? { ...from, packages: 'any' as const } : from;
  // Parameters cannot be read from a file with problems of form.
  if (source.formProblems.length > 0) return { strategies: [], pluginsFrom };
  const { value: drafts, problems } = read(strategiesField, 'strategies');
  const wrong = new Set(
    problems.flatMap(({ keys }) => (pluginKeys.includes(keys[2]) ? [keys[1]] : [])),
  );
  const strategies = [...(drafts ?? [])].flatMap(([id, draft]) => {
    const { plugin, pairs = [], watch = [], parameters } = draft ?? {};
    const isEmpty = pairs.length === 0 && watch.length === 0;
    if (plugin === undefined || isEmpty || parameters === undefined) return [];
    return wrong.has(id) ? [] : [{ id, plugin, pairs, watch, parameters }];
  });
  return { strategies, pluginsFrom };
}

/** Returns the readable parts of a bot's file that name plugins and other files. */
export function readableBot(source: SettingsSource): ReadableBot {
  const { venue, egress } = new Reader(source).read(botField) ?? {};
  return {
    ...readablePlugins(source),
    ...(venue === undefined ? {} : { venue }),
    ...(egress === undefined ? {} : { egress: egressFileOf(source, egress) }),
  };
}
